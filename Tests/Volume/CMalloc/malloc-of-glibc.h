// mallinfo2, which Swift's import of the C library lacks.
#include <malloc.h>
