/* taskkill /T /F /PID n as Windows does it; Wine 8's own knows no /T. Exit code 128: no such process, 1: it could not be ended. */
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tlhelp32.h>

#define MOST 8192
static PROCESSENTRY32 entries[MOST];
static int count;

/* When a process began: a parent's number may be a later process's. */
static ULONGLONG born(DWORD pid) {
  FILETIME began, unused[3];
  ULONGLONG time = 0;
  HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid);
  if (!process) return 0;
  if (GetProcessTimes(process, &began, &unused[0], &unused[1], &unused[2]))
    time = ((ULONGLONG)began.dwHighDateTime << 32) | began.dwLowDateTime;
  CloseHandle(process);
  return time;
}

static int end(DWORD pid) {
  HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, pid);
  if (!process) return 0;
  int ended = TerminateProcess(process, 1);
  CloseHandle(process);
  return ended;
}

static int end_tree(DWORD pid, int depth) {
  ULONGLONG began = born(pid);
  for (int i = 0; i < count && depth < 64; i++) {
    DWORD child = entries[i].th32ProcessID;
    if (entries[i].th32ParentProcessID == pid && child != pid && born(child) >= began) end_tree(child, depth + 1);
  }
  return end(pid);
}

int main(int argc, char **argv) {
  int tree = 0, found = 0;
  DWORD pid = 0;
  for (int i = 1; i < argc; i++) {
    if (!_stricmp(argv[i], "/T")) tree = 1;
    else if (!_stricmp(argv[i], "/PID") && i + 1 < argc) pid = (DWORD)atoi(argv[++i]);
  }
  HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  entries[0].dwSize = sizeof entries[0];
  if (Process32First(snapshot, &entries[0])) {
    do {
      found |= entries[count].th32ProcessID == pid;
      entries[++count].dwSize = sizeof entries[0];
    } while (count < MOST - 1 && Process32Next(snapshot, &entries[count]));
  }
  if (!found) {
    fprintf(stderr, "ERROR: The process \"%lu\" not found.\r\n", pid);
    return 128;
  }
  return (tree ? end_tree(pid, 0) : end(pid)) ? 0 : 1;
}
