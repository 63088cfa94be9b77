#include "app/cli/build_id.h"

#include "base/str.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* cmake/describe.cmake; a test that takes parts of the program has none. */
extern const char program_commit[] __attribute__((weak));

enum { SHOWN = 8 }; /* bytes of the linker's number: enough to tell builds apart */

static size_t padded(size_t size) {
    return (size + 3) & ~(size_t)3;
}

/* A segment of notes: each a header, its owner's name, its data. */
static bool find_in_notes(const char *notes, size_t size, struct str *out) {
    ElfW(Nhdr) head;
    for (size_t at = 0; size - at >= sizeof head;
         at += sizeof head + padded(head.n_namesz) + padded(head.n_descsz)) {
        memcpy(&head, notes + at, sizeof head);
        size_t rest = size - at - sizeof head;
        if (padded(head.n_namesz) > rest || head.n_descsz > rest - padded(head.n_namesz))
            return false;
        const char *name = notes + at + sizeof head;
        const unsigned char *bytes = (const unsigned char *)name + padded(head.n_namesz);
        if (head.n_type != NT_GNU_BUILD_ID || head.n_namesz != 4 || memcmp(name, "GNU", 4) != 0)
            continue;
        for (size_t i = 0; i < head.n_descsz && i < SHOWN; i++)
            str_addf(out, "%02x", bytes[i]);
        return true;
    }
    return false;
}

static bool holds(const struct dl_phdr_info *object, uintptr_t address) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && address - object->dlpi_addr - p->p_vaddr < p->p_memsz)
            return true;
    }
    return false;
}

/* Of the object that holds this function: the library, or the executable where there is none. */
static int find_in_object(struct dl_phdr_info *object, size_t size, void *out) {
    (void)size;
    if (!holds(object, (uintptr_t)find_in_object))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[i];
        if (p->p_type == PT_NOTE &&
            find_in_notes((const char *)(object->dlpi_addr + p->p_vaddr), p->p_memsz, out))
            break;
    }
    return 1;
}

char *build_id(struct arena *arena) {
    struct str id = {0};
    dl_iterate_phdr(find_in_object, &id);
    const char *commit = program_commit ? program_commit : "";
    char *text = arena_printf(arena, "%s%s%s%s%s", *commit ? "commit " : "", commit,
                              *commit && id.len ? ", " : "", id.len ? "build " : "", str_text(&id));
    str_free(&id);
    return text;
}
