#include <malloc.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "cli/command.h"

namespace {

// A pipe without a reader says so; a full disk does not.
bool reader_is_gone() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  // `berth plan ... | head` ends when head has seen enough. Without the signal the write fails instead, and the
  // command's own exit code is kept.
  std::signal(SIGPIPE, SIG_IGN);

  // With fast bins glibc walks through all small free chunks whenever a large one is freed: a fifth of the time that
  // the objects of a large cluster take.
  mallopt(M_MXFAST, 0);

  const std::vector<std::string> arguments(argv + 1, argv + argc);
  berth::cli::Console console{.out = std::cout,
                              .err = std::cerr,
                              .color = berth::text::color_mode_of(STDOUT_FILENO),
                              .error_color = berth::text::color_mode_of(STDERR_FILENO),
                              .program = argc > 0 ? argv[0] : "berth"};
  const int code = berth::cli::run(arguments, console);
  std::cout.flush();
  if (!std::cout && !reader_is_gone()) {
    std::cerr << "berth: the output could not be written; is the disk full?\n";
    return berth::cli::kBadInput;
  }
  return code;
}
