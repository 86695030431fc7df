/* Reads positions and prints what a file of `perfectplay export` says of each: its value, its distance, the legal
 * moves and -1, the best moves in turn and -1. Built with -DSOLVED=..., -DNAME(x)=prefix_##x and -DSTART=... */
#include <inttypes.h>
#include <stdio.h>
#include SOLVED

int main(void)
{
    NAME(position) start = START;
    uint64_t mine, theirs;
    printf("%" PRIu64 " %" PRIu64 "\n", (uint64_t)start.mine, (uint64_t)start.theirs);
    while (scanf("%" SCNu64 " %" SCNu64, &mine, &theirs) == 2) {
        NAME(position) here = start, after;
        int distance, value, move, first;
        uint32_t random;
        here.mine = mine;
        here.theirs = theirs;
        value = NAME(value)(here, &distance);
        printf("%d %d", value, distance);
        for (move = -2; move < 70; move++) {
            after = here;
            if (NAME(play)(&after, move)) {
                int far;
                printf(" %d", move);
                if (NAME(value)(after, &far) == -1 && value != 1)
                    printf(" a move to a lost position from one that is not won");
            } else if (after.mine != here.mine || after.theirs != here.theirs)
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
