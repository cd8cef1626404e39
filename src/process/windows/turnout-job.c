/*
 * turnout-job.exe PROGRAM ARGUMENTS: runs a program in a job object that ends with it and with us.
 *
 * A job holds all that a program starts, and the system ends what is in it when its last handle is closed: by us at the
 * program's end, or by the system at our own, which comes with that of the Node that started us (libuv, 1.51, keeps its
 * children in such a job, but lets theirs break away). The program is put into the job before it runs its first
 * instruction. Standard handles and the command line go on as they are; its exit code is ours.
 *
 * PROGRAM is a full path of an .exe or .com file: it is not searched, and no shell runs it.
 * Exit code 0x5400xxxx: it was not started, and xxxx is the error of Windows.
 */
#include <windows.h>
#include <wchar.h>

#define NOT_STARTED 0x54000000u

static int fail(DWORD error) {
  return (int)(NOT_STARTED | (error & 0xFFFF));
}

/* Behind the first word of a command line, as every program reads it: quotes there have no escapes. */
static wchar_t *behind_first(wchar_t *line) {
  int quoted = 0;
  for (; *line && (quoted || (*line != L' ' && *line != L'\t')); line++)
    if (*line == L'"') quoted = !quoted;
  while (*line == L' ' || *line == L'\t') line++;
  return line;
}

/* A Ctrl-C of the console is the program's to answer; we end with it. Unlike an ignored signal this is not inherited. */
static BOOL WINAPI stay(DWORD event) {
  (void)event;
  return TRUE;
}

int wmain(int argc, wchar_t **argv) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
  STARTUPINFOW start;
  PROCESS_INFORMATION made;
  DWORD code = 1;
  if (argc < 2) return fail(ERROR_BAD_ARGUMENTS);

  size_t length = wcslen(argv[1]);
  /* Windows would hand a batch file to cmd, which reads arguments as commands. */
  if (length < 5 || (_wcsicmp(argv[1] + length - 4, L".exe") && _wcsicmp(argv[1] + length - 4, L".com")))
    return fail(ERROR_BAD_EXE_FORMAT);

  HANDLE job = CreateJobObjectW(NULL, NULL);
  if (!job) return fail(GetLastError());
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  if (!SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits)) return fail(GetLastError());

  SetConsoleCtrlHandler(stay, TRUE);
  GetStartupInfoW(&start);
  /* Descriptors of our C library mean nothing to the program. */
  start.cbReserved2 = 0;
  start.lpReserved2 = NULL;
  start.dwFlags |= STARTF_USESTDHANDLES;
  start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
  start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  if (!CreateProcessW(argv[1], behind_first(GetCommandLineW()), NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &start, &made))
    return fail(GetLastError());
  if (!AssignProcessToJobObject(job, made.hProcess)) {
    code = GetLastError();
    TerminateProcess(made.hProcess, 1);
    return fail(code);
  }
  ResumeThread(made.hThread);
  /* Whoever closes the other end of a pipe must be noticed by the program alone. */
  CloseHandle(start.hStdInput);
  CloseHandle(start.hStdOutput);
  CloseHandle(start.hStdError);
  WaitForSingleObject(made.hProcess, INFINITE);
  GetExitCodeProcess(made.hProcess, &code);
  TerminateJobObject(job, 1);
  return (int)code;
}
