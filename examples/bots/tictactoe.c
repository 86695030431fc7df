/* tictactoe.c: a tic-tac-toe bot in C that never loses.

   Build it:     cc -O2 -o tictactoe tictactoe.c
   Play it:      perfectplay play tic-tac-toe --second cmd:./tictactoe
   Make it vary: cmd:'./tictactoe 7' chooses among equally good moves at random, from the seed 7;
                 cmd:'./tictactoe 7 20' also plays 20 moves of 100 without a thought.

   Squares are the bits of a number, row by row: a1 b1 c1 are bits 0 1 2, a2 b2 c2 bits 3 4 5, a3 b3 c3 bits 6 7 8.
   A position is two such numbers: the marks of the side to move, and those of the other side. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES = 9, FULL = 0777, WON = 10 };

static const int LINES[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

static int mine, theirs;         /* the position */
static uint64_t seed;            /* 0: always the first of the best moves */
static int noise;                /* how many moves of 100 are random */
static signed char known[512][512]; /* values found before, plus WON + 1; 0 where there is none yet */

static int has_line(int marks) {
    for (int i = 0; i < 8; i++)
        if ((marks & LINES[i]) == LINES[i]) return 1;
    return 0;
}

static int is_over(int mine, int theirs) { return has_line(mine) || has_line(theirs) || (mine | theirs) == FULL; }

/* What the position is worth to the side to move: above 0 it wins, below 0 it loses, and the sooner the further from 0. */
static int value(int mine, int theirs) {
    if (is_over(mine, theirs)) return has_line(theirs) ? -WON : 0;
    if (known[mine][theirs]) return known[mine][theirs] - WON - 1;
    int best = -WON;
    for (int square = 0; square < SQUARES; square++) {
        if ((mine | theirs) >> square & 1) continue;
        int after = -value(theirs, mine | 1 << square);
        after += (after < 0) - (after > 0); /* one ply further away */
        if (after > best) best = after;
    }
    known[mine][theirs] = (signed char)(best + WON + 1);
    return best;
}

/* A random number below `count` (xorshift). */
static int thrown(int count) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (int)(seed >> 33) % count;
}

/* The square to play: one of the best, or with some noise any. */
static int choose(void) {
    int careless = seed && noise && thrown(100) < noise;
    int best = -WON - 1, count = 0, found[SQUARES];
    for (int square = 0; square < SQUARES; square++) {
        if ((mine | theirs) >> square & 1) continue;
        int after = careless ? 0 : -value(theirs, mine | 1 << square);
        if (after > best) best = after, count = 0;
        if (after == best) found[count++] = square;
    }
    return found[seed ? thrown(count) : 0];
}

static void play(int square) {
    int moved = mine | 1 << square;
    mine = theirs, theirs = moved; /* the other side is to move now */
}

/* position startpos moves b2 a1, or position fen O:.../.X./... moves a1 */
static void set_position(char *words) {
    int side = 'X', square = 0, in_moves = 0;
    mine = theirs = 0;
    for (char *word = strtok(words, " \n"); word; word = strtok(NULL, " \n")) {
        if (in_moves) {
            if (strlen(word) == 2) play((word[0] - 'a') + 3 * (word[1] - '1'));
        } else if (!strcmp(word, "moves")) {
            in_moves = 1;
        } else if (word[0] && word[1] == ':') {
            side = word[0];
            for (char *mark = word + 2; *mark && square < SQUARES; mark++) {
                if (*mark == 'X' || *mark == 'O') *(*mark == side ? &mine : &theirs) |= 1 << square;
                square += *mark != '/';
            }
        }
    }
}

/* A manager that knows no rules asks for them. X moves first, so X is to move when both have as many marks. */
static void answer(const char *question) {
    int marks = 0;
    for (int all = mine | theirs; all; all &= all - 1) marks++;
    if (!strncmp(question, "gameover", 8)) printf("response %s\n", is_over(mine, theirs) ? "true" : "false");
    if (!strncmp(question, "p1turn", 6)) printf("response %s\n", marks % 2 ? "false" : "true");
    if (!strncmp(question, "result", 6)) {
        const char *winner = marks % 2 ? "p1win" : "p2win"; /* only the side that has just moved can have won */
        printf("response %s\n", has_line(theirs) ? winner : (mine | theirs) == FULL ? "draw" : "none");
    }
}

int main(int count, char **words) {
    char line[4096];
    seed = count > 1 ? strtoull(words[1], NULL, 10) : 0;
    noise = count > 2 ? atoi(words[2]) : 0;
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4)) {
        if (!strncmp(line, "uginewgame", 10)) mine = theirs = 0;
        else if (!strncmp(line, "ugi", 3)) {
            puts("id name tictactoe.c\nid author you");
            puts("option name Seed type spin default 0 min 0 max 2147483647\nugiok");
        }
        else if (!strncmp(line, "setoption name Seed value ", 26)) seed = strtoull(line + 26, NULL, 10);
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "position ", 9)) set_position(line + 9);
        else if (!strncmp(line, "query ", 6)) answer(line + 6);
        else if (!strncmp(line, "go", 2) && !is_over(mine, theirs)) {
            int square = choose();
            printf("bestmove %c%c\n", 'a' + square % 3, '1' + square / 3);
        }
        fflush(stdout); /* the manager waits for every line */
    }
    return 0;
}
