# shellcheck shell=bash
# Sourced by test_slurm.sh: a Slurm of one controller and two nodes of one processor each, on the
# loopback of this machine, with a key, ports and folders of its own; ended by process id.

# All that is needed, or the reason why not.
slurm_missing() {
    local program
    for program in munged slurmctld slurmd sbatch squeue scontrol; do
        PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || { echo "no $program"; return; }
    done
    [ "$(id -u)" -eq 0 ] || echo "not root"
}

free_ports() { # N: the first of so many in a row that nobody listens on
    local first port
    for _ in {1..50}; do
        first=$((20000 + RANDOM % 20000))
        for ((port = first; port < first + $1; port++)); do
            ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue 2
        done
        echo "$first"
        return
    done
    return 1
}

slurm_conf() { # FOLDER FIRST_PORT MEGABYTES_A_NODE
    cat <<CONF
ClusterName=goalkeeper_test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$1/munge.socket
SlurmctldPort=$2
StateSaveLocation=$1/state
SlurmdSpoolDir=$1/spool-%n
SlurmctldPidFile=$1/slurmctld.pid
SlurmdPidFile=$1/slurmd-%n.pid
SlurmctldLogFile=$1/slurmctld.log
SlurmdLogFile=$1/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
KillWait=10
SlurmdTimeout=10
JobRequeue=1
SchedulerParameters=sched_min_interval=200000,batch_sched_delay=0
JobCompType=jobcomp/none
NodeName=n[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$(($2 + 1))-$(($2 + 2))] CPUs=1 RealMemory=$3
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

slurm_start() { # FOLDER
    local dir=$1 port
    PATH=$PATH:/usr/sbin
    port=$(free_ports 3) || return 1
    mkdir -p "$dir/state" "$dir/spool-n1" "$dir/spool-n2"
    head -c 1024 /dev/urandom >"$dir/munge.key" && chmod 400 "$dir/munge.key"
    slurm_conf "$dir" "$port" "$(awk '/MemTotal/ { print int($2 / 1024 / 2) }' /proc/meminfo)" \
        >"$dir/slurm.conf"
    export SLURM_CONF=$dir/slurm.conf
    slurm_pids=()
    munged --foreground --force --socket "$dir/munge.socket" --key-file "$dir/munge.key" \
        --pid-file "$dir/munged.pid" --log-file "$dir/munged.log" --seed-file "$dir/munge.seed" \
        2>/dev/null &
    slurm_pids+=($!)
    for _ in {1..50}; do [ ! -S "$dir/munge.socket" ] || break; sleep 0.1; done
    slurmctld -D -i >/dev/null 2>&1 &
    slurm_pids+=($!)
    slurm_node n1
    slurm_node n2
    for _ in {1..100}; do
        [ "$(sinfo -h -o %T -N 2>/dev/null | grep -c idle)" -lt 2 ] || return 0
        sleep 0.1
    done
    tail -n 5 "$dir"/*.log >&2
    return 1
}

slurm_node() { # NAME
    slurmd -D -N "$1" >/dev/null 2>&1 &
    slurm_pids+=($!)
    declare -g "slurm_pid_$1=$!"
}

slurm_stop() {
    local pid
    scancel -u root 2>/dev/null
    for ((i = ${#slurm_pids[@]} - 1; i >= 0; i--)); do
        pid=${slurm_pids[i]}
        kill "$pid" 2>/dev/null
    done
    for pid in "${slurm_pids[@]}"; do
        for _ in {1..50}; do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
        kill -KILL "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
    done
}
