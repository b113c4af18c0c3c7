// mallinfo2, which Swift's view of the C library lacks.
#include <malloc.h>
