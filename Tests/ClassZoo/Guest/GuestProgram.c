// A program in C that loads libraries of Swift.
#include "GuestHost.c"

int main(int count, char **words)
{
    if (count == 2)
        hostGuests(words[1]);
}
