/* Amp's place is taken by a program that leaves a child behind which holds the settings file open, shared with nobody. */
#include <windows.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char self[MAX_PATH], line[3 * MAX_PATH], input[65536];
  const char *file = "";
  if (argc > 2 && !strcmp(argv[1], "__hold")) {
    HANDLE held = CreateFileA(argv[2], GENERIC_READ, 0, 0, OPEN_EXISTING, 0, 0);
    printf("%d", held != INVALID_HANDLE_VALUE);
    Sleep(5000);
    return 0;
  }
  for (int i = 1; i < argc - 1; i++)
    if (!strcmp(argv[i], "--settings-file")) file = argv[i + 1];
  STARTUPINFOA info = {sizeof info};
  PROCESS_INFORMATION made;
  GetModuleFileNameA(0, self, sizeof self);
  snprintf(line, sizeof line, "\"%s\" __hold \"%s\"", self, file);
  CreateProcessA(0, line, 0, 0, FALSE, DETACHED_PROCESS | CREATE_BREAKAWAY_FROM_JOB, 0, 0, &info, &made);
  Sleep(400);
  while (fgets(input, sizeof input, stdin));
  puts("{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s1\",\"tools\":[]}");
  puts("{\"type\":\"assistant\",\"session_id\":\"s1\",\"message\":{\"id\":\"m1\",\"type\":\"message\",\"role\":\"assistant\","
       "\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],\"stop_reason\":\"end_turn\"}}");
  puts("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"hi\",\"session_id\":\"s1\"}");
  return 0;
}
