// A library in C in the place of the guest.
void makeGuests(void)
{
}
