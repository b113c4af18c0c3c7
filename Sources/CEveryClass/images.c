// Finds the slots of functions in the images of the program, and replaces them.
//
// The tables: System V ABI, chapter 5 (DT_JMPREL, DT_RELA), and the processor's supplement for the two kinds of
// relocations that fill a slot with a function's address. The loader makes a part of the tables read-only
// (PT_GNU_RELRO); that part is made writable for the change.
#define _GNU_SOURCE
#include "known_images.h"

#if defined(__linux__)
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { SLOT_OF_CALL = R_X86_64_JUMP_SLOT, SLOT_OF_ADDRESS = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { SLOT_OF_CALL = R_AARCH64_JUMP_SLOT, SLOT_OF_ADDRESS = R_AARCH64_GLOB_DAT };
#else
enum { SLOT_OF_CALL = -1, SLOT_OF_ADDRESS = -1 };
#endif

/// The tables of an image.
typedef struct tables {
    lt_image image;
    uintptr_t base;
    uintptr_t read_only_start, read_only_end;
    const char *names;
    const ElfW(Sym) *symbols;
    const ElfW(Rela) *relocations[2];
    size_t counts[2];
} tables;

static const void *loaded(uintptr_t base, uintptr_t address) {
    // The loader has relocated these addresses, except in images that it does not relocate.
    return (const void *)(address < base ? base + address : address);
}

static lt_image addresses_of(const struct dl_phdr_info *info) {
    lt_image image = {.start = UINTPTR_MAX};
    for (size_t index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD) continue;
        const uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (start < image.start) image.start = start;
        if (end > image.end) image.end = end;
    }
    return image;
}

static bool read_tables(const struct dl_phdr_info *info, tables *found) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const ElfW(Dyn) *entry = NULL;
    *found = (tables){.base = info->dlpi_addr, .image = addresses_of(info)};
    for (size_t index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
        const uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type == PT_DYNAMIC) {
            entry = (const ElfW(Dyn) *)start;
        } else if (segment->p_type == PT_GNU_RELRO) {
            // The loader protects whole pages.
            found->read_only_start = start & ~(page - 1);
            found->read_only_end = end & ~(page - 1);
        }
    }
    if (!entry) return false;
    for (; entry->d_tag != DT_NULL; entry++) {
        const uintptr_t value = entry->d_un.d_ptr;
        switch (entry->d_tag) {
        case DT_STRTAB: found->names = loaded(found->base, value); break;
        case DT_SYMTAB: found->symbols = loaded(found->base, value); break;
        case DT_JMPREL: found->relocations[0] = loaded(found->base, value); break;
        case DT_PLTRELSZ: found->counts[0] = value / sizeof(ElfW(Rela)); break;
        case DT_RELA: found->relocations[1] = loaded(found->base, value); break;
        case DT_RELASZ: found->counts[1] = value / sizeof(ElfW(Rela)); break;
        default: break;
        }
    }
    for (int table = 0; table < 2; table++) {
        if (!found->relocations[table]) found->counts[table] = 0;
    }
    return found->names && found->symbols;
}

static bool is_runtime_name(const char *name) {
    static const char *const others[] = {
        "libFoundation.so", "libFoundationEssentials.so", "libFoundationInternationalization.so",
        "libFoundationNetworking.so", "libFoundationXML.so", "lib_FoundationICU.so", "libdispatch.so",
        "libBlocksRuntime.so", "libTesting.so", "lib_TestingInterop.so", "lib_Testing_Foundation.so", "libXCTest.so",
        "lib_InternalSwiftStaticMirror.so",
    };
    const char *slash = strrchr(name, '/');
    const char *file = slash ? slash + 1 : name;
    static const char prefix[] = "libswift";
    if (strncmp(file, prefix, sizeof prefix - 1) == 0) {
        const char next = file[sizeof prefix - 1];
        if (next == '_' || (next >= 'A' && next <= 'Z')) return true;
    }
    for (size_t index = 0; index < sizeof others / sizeof *others; index++) {
        if (strcmp(file, others[index]) == 0) return true;
    }
    return false;
}

/// Whether an image belongs to the program, and not to the system, the Swift runtime or the tracer.
static bool is_of_program(const struct dl_phdr_info *info, const lt_image *image, bool includes_own) {
    if (lt_is_in_image(image, &is_runtime_name)) return includes_own;
    return !info->dlpi_name || !is_runtime_name(info->dlpi_name);
}

/// Writes a slot; returns whether the system has allowed it.
static bool write_slot(const tables *tables, void **slot, void *value) {
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)slot & ~(size - 1);
    const bool is_read_only = page >= tables->read_only_start && page < tables->read_only_end;
    if (is_read_only && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0) return false;
    __atomic_store_n(slot, value, __ATOMIC_RELEASE);
    // If the page stays writable, nothing but its protection is lost.
    if (is_read_only) (void)mprotect((void *)page, size, PROT_READ);
    return true;
}

typedef struct replacing {
    const lt_replacement *replacements;
    size_t count;
    /// The functions whose slots are replaced.
    lt_purpose purpose;
    /// Whether the slots get the addresses of the runtime's functions again.
    bool restores;
    /// The slots that have the wanted address, and those among them that had another one.
    size_t replaced, changed;
    const char *failure;
    /// Where the slots that have the wanted address are noted; NULL if they need not be.
    lt_known_images *known;
} replacing;

/// Replaces one slot if it belongs to one of the functions.
static void replace_slot(const tables *tables, const char *name, void **slot, replacing *state) {
    for (size_t index = 0; index < state->count; index++) {
        const lt_replacement *each = &state->replacements[index];
        if (each->purpose != state->purpose || !each->real || strcmp(name, each->name) != 0) continue;
        void *value = __atomic_load_n(slot, __ATOMIC_RELAXED), *wanted = state->restores ? each->real : each->hook;
        if (value != wanted) {
            // A slot that the loader has not filled yet leads to the image's own code.
            if (value != each->real && value != each->hook && !lt_is_in_image(&tables->image, value)) {
                state->failure = "another library has replaced a function of the Swift runtime";
                return;
            }
            if (!write_slot(tables, slot, wanted)) {
                state->failure = "the system refuses to change the table of addresses of an image";
                return;
            }
            state->changed++;
        }
        state->replaced++;
        if (state->known) lt_add_known_slot(state->known, slot, wanted);
    }
}

static void replace_in(const tables *tables, replacing *state) {
    for (int table = 0; table < 2; table++) {
        for (size_t index = 0; index < tables->counts[table] && !state->failure; index++) {
            const ElfW(Rela) *relocation = &tables->relocations[table][index];
            const int kind = (int)ELF64_R_TYPE(relocation->r_info);
            const size_t symbol = ELF64_R_SYM(relocation->r_info);
            if ((kind != SLOT_OF_CALL && kind != SLOT_OF_ADDRESS) || symbol == 0) continue;
            const char *name = tables->names + tables->symbols[symbol].st_name;
            if (name[0] != 's' && name[0] != '$' && name[0] != 'd') continue;
            replace_slot(tables, name, (void **)(tables->base + relocation->r_offset), state);
        }
    }
}

/// The images that have been searched, and those of the current visit; they change places after a visit. The lock of
/// the search protects them.
static lt_known_images known_lists[2];
static lt_known_images *known = &known_lists[0], *next_known = &known_lists[1];

typedef struct visit {
    lt_images *images;
    replacing state;
    /// The last purpose of the functions whose slots are replaced.
    lt_purpose last;
    const char *failure;
} visit;

static lt_image_identity identity_of(const tables *tables) {
    return (lt_image_identity){
        .image = tables->image,
        .names = tables->names,
        .symbols = tables->symbols,
        .relocations = {tables->relocations[0], tables->relocations[1]},
        .counts = {tables->counts[0], tables->counts[1]},
    };
}

/// Replaces the slots of an image.
static void visit_tables(const tables *tables, replacing *state, lt_purpose last) {
    for (lt_purpose purpose = LT_FREES; purpose <= last && !state->failure; purpose++) {
        // Other images, such as libraries in C, stay as they are.
        if (purpose == LT_LOADS && !state->replaced) break;
        state->purpose = purpose;
        replace_in(tables, state);
    }
}

static int visit_image(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    visit *visit = context;
    tables tables;
    lt_images *images = visit->images;
    images->added = info->dlpi_adds;
    images->removed = info->dlpi_subs;
    if (!read_tables(info, &tables) || !is_of_program(info, &tables.image, images->includes_own)) return 0;
    replacing state = visit->state;
    const lt_image_identity identity = identity_of(&tables);
    const lt_known_image *before = state.restores ? NULL : lt_find_known_image(known, &identity);
    const bool is_last = visit->last == LT_LOADS;
    if (before) {
        state.replaced = before->slot_count;
        if (is_last) lt_keep_known_image(next_known, known, before);
    } else {
        if (is_last) {
            lt_open_known_image(next_known, &identity);
            state.known = next_known;
        }
        visit_tables(&tables, &state, visit->last);
        lt_close_known_image(next_known, !state.failure);
    }
    images->changed += state.changed;
    if (state.failure) {
        visit->failure = state.failure;
        images->refused++;
    } else if (!is_last || !state.replaced) {
        return 0;
    } else if (images->count == LT_MOST_IMAGES) {
        visit->failure = "the program has too many images";
        images->refused++;
    } else {
        images->list[images->count++] = tables.image;
    }
    return 0;
}

static void swap_known(void) {
    lt_known_images *former = known;
    known = next_known;
    next_known = former;
}

const char *lt_replace_in_program(lt_images *images, const lt_replacement *replacements, size_t count) {
    enum { MOST_VISITS = 16 };
    visit visit = {.images = images, .state = {.replacements = replacements, .count = count}, .last = LT_FREES};
    for (int number = 0; number < MOST_VISITS; number++) {
        images->count = images->refused = images->changed = 0;
        visit.failure = NULL;
        lt_forget_known_images(next_known);
        dl_iterate_phdr(visit_image, &visit);
        if (visit.last == LT_LOADS) swap_known();
        if (images->changed) continue;
        if (visit.last == LT_LOADS) break;
        visit.last = LT_LOADS;
    }
    return visit.failure;
}

void lt_restore_in_program(const lt_replacement *replacements, size_t count, bool includes_own) {
    static lt_images unused;
    visit visit = {
        .images = &unused, .state = {.replacements = replacements, .count = count, .restores = true}, .last = LT_LOADS};
    unused.count = 0;
    unused.includes_own = includes_own;
    dl_iterate_phdr(visit_image, &visit);
    lt_forget_known_images(known);
}

static int visit_own(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    tables tables;
    if (!read_tables(info, &tables) || !lt_is_in_image(&tables.image, &is_runtime_name)) return 0;
    replacing *state = context;
    for (state->purpose = LT_FREES; state->purpose < LT_LOADS; state->purpose++) replace_in(&tables, state);
    return 1;
}

bool lt_replace_in_own_image(const lt_replacement *replacements, size_t count, bool restores) {
    replacing state = {.replacements = replacements, .count = count, .restores = restores};
    return dl_iterate_phdr(visit_own, &state) == 1 && !state.failure && state.replaced > 0;
}

static int compare_counts(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    const lt_images *images = context;
    // 1 if unchanged, to tell that from an empty list.
    return images->added == info->dlpi_adds && images->removed == info->dlpi_subs ? 1 : 2;
}

bool lt_images_changed(const lt_images *images) { return dl_iterate_phdr(compare_counts, (void *)images) == 2; }

typedef struct search {
    const void *address;
    lt_image found;
} search;

static int find_image(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    search *search = context;
    const lt_image image = addresses_of(info);
    if (!lt_is_in_image(&image, search->address)) return 0;
    search->found = image;
    return 1;
}

lt_image lt_image_of(const void *address) {
    search search = {.address = address};
    dl_iterate_phdr(find_image, &search);
    return search.found;
}

lt_image lt_own_image(void) { return lt_image_of(&is_runtime_name); }
#endif
