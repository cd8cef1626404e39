/* A runtime that takes its prompt in argv: writes its arguments to FAKE_LOG, each with a NUL behind it, and says one line. */
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>

static void put(FILE *file, const wchar_t *text) {
  int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, 0, 0, 0, 0);
  char *bytes = malloc(size);
  WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, size, 0, 0);
  fwrite(bytes, 1, size, file);
  free(bytes);
}

int wmain(int argc, wchar_t **argv) {
  const wchar_t *path = _wgetenv(L"FAKE_LOG");
  FILE *log = path ? _wfopen(path, L"wb") : 0;
  for (int i = 1; log && i < argc; i++) put(log, argv[i]);
  if (log) fclose(log);
  puts("said by the program");
  return 0;
}
