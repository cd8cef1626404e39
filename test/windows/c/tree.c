/*
 * A runtime that starts three more of itself: attached, detached, and through `cmd /c start`. Each holds the file
 * TREE_FOLDER\NAME open while it lives. It says one line; TREE_MODE=hang makes it stay, talk too but with a line every
 * now and then, and crash ends it with code 3.
 */
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAY 60000

static void start(char *line, DWORD flags) {
  STARTUPINFOA info = {sizeof info};
  PROCESS_INFORMATION made;
  if (!CreateProcessA(0, line, 0, 0, FALSE, flags, 0, 0, &info, &made)) printf("could not start: %lu\r\n", GetLastError());
}

static void hold(const char *name) {
  char path[MAX_PATH];
  snprintf(path, sizeof path, "%s\\%s", getenv("TREE_FOLDER"), name);
  CreateFileA(path, GENERIC_WRITE, 0, 0, CREATE_ALWAYS, 0, 0);
}

static int is_held(const char *name) {
  char path[MAX_PATH];
  snprintf(path, sizeof path, "%s\\%s", getenv("TREE_FOLDER"), name);
  return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES;
}

int main(int argc, char **argv) {
  char self[MAX_PATH], line[3 * MAX_PATH];
  const char *mode = getenv("TREE_MODE");
  if (argc > 2 && !strcmp(argv[1], "__child")) {
    hold(argv[2]);
    Sleep(STAY);
    return 0;
  }
  hold("leader");
  GetModuleFileNameA(0, self, sizeof self);
  snprintf(line, sizeof line, "\"%s\" __child attached", self);
  start(line, 0);
  snprintf(line, sizeof line, "\"%s\" __child detached", self);
  start(line, DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP);
  snprintf(line, sizeof line, "cmd /c start /b \"\" \"%s\" __child started", self);
  start(line, 0);
  for (int i = 0; i < 400 && !(is_held("attached") && is_held("detached") && is_held("started")); i++) Sleep(25);
  puts("all are there\r");
  fflush(stdout);
  if (mode && !strcmp(mode, "hang")) Sleep(STAY);
  for (int i = 0; mode && !strcmp(mode, "talk") && i < STAY / 100; i++) {
    Sleep(100);
    if (puts("still there\r") < 0 || fflush(stdout)) break;
  }
  return mode && !strcmp(mode, "crash") ? 3 : 0;
}
