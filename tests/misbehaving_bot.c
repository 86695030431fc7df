/* A tic-tac-toe bot that goes wrong in the way that its first argument says; the second says in one of how many games.

   It plays the first free square until it goes wrong, which it does at its second move, so that there is a game. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char taken[9];
static int moves;

static void set_position(char *words) {
    char *word = strstr(words, " moves ");
    memset(taken, 0, sizeof taken);
    for (word = word ? strtok(word + 7, " \n") : NULL; word; word = strtok(NULL, " \n"))
        taken[(word[0] - 'a') + 3 * (word[1] - '1')] = 1;
}

static void square(int free) {
    int i = 0;
    while (taken[i] == free) i++;
    printf("bestmove %c%c\n", 'a' + i % 3, '1' + i / 3);
}

static void go_wrong(const char *way) {
    if (!strcmp(way, "illegal")) square(0); /* a square that is taken */
    if (!strcmp(way, "nonsense")) puts("bestmove banana");
    if (!strcmp(way, "rubbish")) puts("\001\002\377");
    if (!strcmp(way, "silent")) for (;;) pause();
    if (!strcmp(way, "abort")) abort();
    if (!strcmp(way, "exit")) exit(0);
    if (!strcmp(way, "memory")) for (;;) memset(malloc(1 << 20), 1, 1 << 20);
    if (!strcmp(way, "closed")) { close(1); for (;;) pause(); }
    if (!strcmp(way, "flood")) for (;;) printf("info string %01000d\n", 0); /* long lines: the limit is met soon, on a busy machine, too */
    if (!strcmp(way, "orphans")) { /* leaves a child that will not go, then crashes */
        for (int i = 1; i < 32; i++) signal(i, SIG_IGN);
        if (!fork()) { setsid(); if (!fork()) for (;;) pause(); _exit(0); }
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
}

int main(int count, char **words) {
    char line[4096];
    const char *way = words[1];
    int often = count > 2 ? atoi(words[2]) : 1;
    if (!strcmp(way, "no start")) return 3;
    srand((unsigned)getpid());
    int wrong = rand() % often == 0;
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4)) {
        if (!strncmp(line, "uginewgame", 10)) moves = 0, wrong = rand() % often == 0;
        else if (!strncmp(line, "ugi", 3)) puts("id name misbehaving\nugiok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "position ", 9)) set_position(line + 9);
        else if (!strncmp(line, "go", 2)) {
            fflush(stdout);
            if (moves++ == 1 && wrong) go_wrong(way);
            else square(1);
        }
        fflush(stdout);
    }
    return 0;
}
