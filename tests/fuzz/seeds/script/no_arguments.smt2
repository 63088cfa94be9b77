(set-logic QF_BV)
(assert (le))
(check-sat)
