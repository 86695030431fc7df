/* Reads positions and prints what an exported opponent does in each: the sum of weights and the weight of each move.
 * Every move is chosen by as many numbers below the sum as it weighs: from `from` to one less than `from + weight`.
 * Built with -DSOLVED=..., -DNAME(x)=prefix_##x, -DSTART=... and -DMOVES=... */
#include <inttypes.h>
#include <stdio.h>
#include SOLVED

int main(void)
{
    uint64_t mine, theirs;
    uint32_t state = 7;
    while (scanf("%" SCNu64 " %" SCNu64, &mine, &theirs) == 2) {
        NAME(position) here = START;
        uint32_t weights[MOVES], from = 0, sum;
        int move;
        here.mine = mine;
        here.theirs = theirs;
        sum = NAME(weights)(here, weights);
        printf("%" PRIu32, sum);
        for (move = 0; move < MOVES; move++) {
            const uint32_t weight = weights[move];
            NAME(position) after = here;
            printf(" %" PRIu32, weight);
            if (weight && !NAME(play)(&after, move))
                printf(" an illegal move weighs something");
            if (weight && (NAME(choose)(here, from) != move || NAME(choose)(here, from + weight - 1) != move))
                printf(" a move is not chosen as often as it weighs");
            from += weight;
        }
        if (from != sum || NAME(weights)(here, 0) != sum)
            printf(" the weights do not add up");
        if (NAME(choose)(here, sum) != (sum ? NAME(choose)(here, 0) : -1))
            printf(" numbers from the sum on do not start again");
        move = NAME(choose)(here, NAME(random)(&state));
        if (sum ? weights[move] == 0 : move != -1)
            printf(" an illegal move was chosen");
        printf("\n");
    }
    return 0;
}
