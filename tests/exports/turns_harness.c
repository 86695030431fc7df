/* Reads positions and prints what a file of `perfectplay export` says of each: its value, its distance or margin, and
 * for each legal move its number, who moves next and the position then, and -1; then the best moves in turn and -1.
 * Built with -DSOLVED=..., -DNAME(x)=prefix_##x and -DSTART=... */
#include <inttypes.h>
#include <stdio.h>
#include SOLVED

int main(void)
{
    uint64_t mine, theirs;
    while (scanf("%" SCNu64 " %" SCNu64, &mine, &theirs) == 2) {
        NAME(position) here = START, after;
        int worth, value, move, first, turn;
        uint32_t random;
        here.mine = mine;
        here.theirs = theirs;
        value = NAME(value)(here, &worth);
        if (value != NAME(value)(here, 0))
            printf("the value depends on what else is asked for ");
        printf("%d %d", value, worth);
        for (move = -2; move < 70; move++) {
            after = here;
            turn = NAME(play)(&after, move);
            if (turn)
                printf(" %d %d %" PRIu64 " %" PRIu64, move, turn, (uint64_t)after.mine, (uint64_t)after.theirs);
            else if (after.mine != here.mine || after.theirs != here.theirs)
                printf(" an illegal move changed the position");
        }
        printf(" -1");
        first = NAME(best)(here, 0);
        for (random = 1, move = first; move >= 0; random++) {
            printf(" %d", move);
            move = NAME(best)(here, random);
            if (move == first)
                break;
        }
        printf(" -1\n");
    }
    return 0;
}
