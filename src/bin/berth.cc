#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "cli/command.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  // `berth plan ... | head` ends when head has seen enough. Without the signal the write fails instead, and the
  // command's own exit code is kept.
  std::signal(SIGPIPE, SIG_IGN);

  const std::vector<std::string> arguments(argv + 1, argv + argc);
  berth::cli::Console console{.out = std::cout,
                              .err = std::cerr,
                              .color = berth::text::color_mode_of(STDOUT_FILENO),
                              .error_color = berth::text::color_mode_of(STDERR_FILENO)};
  const int code = berth::cli::run(arguments, console);
  errno = 0;
  std::cout.flush();
  if (!std::cout && errno != EPIPE && errno != 0) {
    std::cerr << "berth: the output could not be written: " << std::strerror(errno) << ".\n";
    return berth::cli::kBadInput;
  }
  return code;
}
