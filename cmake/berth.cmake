# The build in one page: what a room, a program, a test, a benchmark and a fuzzer are.
# Sources are found by name, so that adding a file never touches a list:
#   src/ROOM/**/x.cc        part of the room's library
#   src/ROOM/**/x_test.cc   part of the room's test binary ROOM_test
#   tests/DIR/*.cc          one test binary DIR_tests (reference/ is a library of its own)
#   bench/x_bench.cc        one benchmark binary each
#   fuzz/x_fuzz.cc          one fuzzer each

find_package(Boost 1.81 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)

add_library(berth_yaml INTERFACE)
target_link_libraries(berth_yaml INTERFACE PkgConfig::YAML)
add_library(berth_re2 INTERFACE)
target_link_libraries(berth_re2 INTERFACE PkgConfig::RE2)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

add_library(berth_options INTERFACE)
target_compile_options(berth_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Once it optimises, GCC 12 takes `text + string` and `string.insert(0, text)` for overlapping or endless copies (GCC bugs
  # 105651 and 105329). The library's headers say where not to warn of it, which precompiled headers forget: at -O3 there is
  # a warning for each of them. Debug builds, the sanitizers' and clang's keep these warnings on.
  target_compile_options(berth_options INTERFACE
                         -Wno-restrict $<$<CONFIG:Release>:-Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Clang counts signedness under -Wconversion; GCC, the compiler of releases, does not.
  target_compile_options(berth_options INTERFACE -Wno-sign-conversion -Wno-implicit-int-float-conversion
                         -Wno-deprecated-declarations)  # the library of GCC 12 deprecates what it uses itself
endif()
if(BERTH_MUTANTS)
  add_compile_definitions(BERTH_MUTANTS)
endif()
if(BERTH_SANITIZE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The checks that sanitizers insert confuse this analysis of GCC 12 into warning about std::string.
    target_compile_options(berth_options INTERFACE -Wno-maybe-uninitialized)
  endif()
  add_compile_options(-fsanitize=${BERTH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BERTH_SANITIZE})
endif()

# What most files include, read once: a third of the time of a build. The first target of a kind makes it for the others,
# which have the same flags. build/tidy does without, so that a file that does not include what it uses fails there.
add_compile_options(-pthread)  # re2 and gtest ask for it, and it defines a macro that all have to share
set(BERTH_COMMON_HEADERS <algorithm> <array> <cstdint> <expected> <functional> <map> <memory> <optional> <ranges> <set> <span>
    <string> <string_view> <tuple> <utility> <variant> <vector> <boost/unordered/unordered_flat_map.hpp>)
function(berth_precompile target first)
  if(NOT BERTH_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  target_compile_options(${target} PRIVATE -fpch-preprocess)  # what ccache needs to see it
  if(target STREQUAL first)
    target_precompile_headers(${target} PRIVATE ${BERTH_COMMON_HEADERS} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${first})
  endif()
endfunction()

# Third-party headers are system headers: their warnings are not ours.
set(BERTH_ROOMS "" CACHE INTERNAL "")

function(berth_room name)
  cmake_parse_arguments(arg "" "" "DEPS;LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cc$")
  if(sources)
    add_library(berth_${name} STATIC ${sources})
    set(kind PUBLIC)
    target_link_libraries(berth_${name} PRIVATE berth_options)
    berth_precompile(berth_${name} berth_base)
  else()
    add_library(berth_${name} INTERFACE)
    set(kind INTERFACE)
  endif()
  target_include_directories(berth_${name} ${kind} ${CMAKE_SOURCE_DIR}/src)
  foreach(dep ${arg_DEPS})
    target_link_libraries(berth_${name} ${kind} berth_${dep})
  endforeach()
  target_link_libraries(berth_${name} ${kind} ${arg_LIBS})
  set(BERTH_ROOMS "${BERTH_ROOMS};${name}" CACHE INTERNAL "")
endfunction()

function(berth_program name source)
  cmake_parse_arguments(arg "" "" "DEPS" ${ARGN})
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${source})
    return()
  endif()
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE berth_options)
  foreach(dep ${arg_DEPS})
    target_link_libraries(${name} PRIVATE berth_${dep})
  endforeach()
  install(TARGETS ${name} RUNTIME DESTINATION bin COMPONENT berth)
endfunction()

# Tells tests and benchmarks where the repository is (tests/support/source_directory.h).
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/source_directory.cc CONTENT [[
#include "support/source_directory.h"
const char* berth::support::source_directory() { return "@CMAKE_SOURCE_DIR@"; }
]] @ONLY)
add_library(berth_source_directory STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/source_directory.cc)
target_include_directories(berth_source_directory PUBLIC ${CMAKE_SOURCE_DIR}/tests)

# A gtest binary; its tests are registered one ctest entry per binary. What UNIT tests do themselves is not worth the time
# that optimising takes.
function(berth_test_binary name)
  cmake_parse_arguments(arg "UNIT" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE berth_options ${arg_DEPS} berth_source_directory GTest::gtest GTest::gtest_main)
  if(NOT arg_UNIT)
    berth_precompile(${name} berth_base)
  else()
    if(CMAKE_BUILD_TYPE STREQUAL "Debug")
      target_compile_options(${name} PRIVATE -O0)
    endif()
    berth_precompile(${name} base_test <gtest/gtest.h>)
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

macro(berth_tests)
  enable_testing()
  find_package(GTest REQUIRED)
  foreach(room ${BERTH_ROOMS})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${room}/*_test.cc)
    if(sources)
      berth_test_binary(${room}_test UNIT SOURCES ${sources} DEPS berth_${room})
    endif()
  endforeach()
  # The slow twins: may include src/api and src/base only, so they get no more than that.
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/reference/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  if(sources)
    add_library(berth_reference STATIC ${sources})
    target_link_libraries(berth_reference PUBLIC berth_api berth_base PRIVATE berth_options)
    berth_precompile(berth_reference berth_base)
    target_include_directories(berth_reference PUBLIC ${CMAKE_SOURCE_DIR}/tests)
  else()
    add_library(berth_reference INTERFACE)
  endif()
  # Shared helpers of tests: generators, world builders.
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/support/*.cc)
  if(sources)
    add_library(berth_support STATIC ${sources})
    target_link_libraries(berth_support PUBLIC berth_sim berth_reference GTest::gtest PRIVATE berth_options)
    berth_precompile(berth_support berth_base)
    target_include_directories(berth_support PUBLIC ${CMAKE_SOURCE_DIR}/tests)
  else()
    add_library(berth_support INTERFACE)
    target_link_libraries(berth_support INTERFACE berth_sim berth_reference)
  endif()
  file(GLOB folders LIST_DIRECTORIES true CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*)
  add_test(NAME tools_test COMMAND ${CMAKE_SOURCE_DIR}/tests/tools/tools_test.py)
  add_test(NAME command_test COMMAND ${CMAKE_SOURCE_DIR}/tests/tools/command_test.py $<TARGET_FILE:berth>)
  foreach(folder ${folders})
    get_filename_component(room ${folder} NAME)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*_test.cc)
    file(GLOB helpers CONFIGURE_DEPENDS ${folder}/*.cc)
    if(sources AND NOT room STREQUAL "reference" AND NOT room STREQUAL "support")
      set(sources ${helpers})  # the tests and what only they share
    endif()
    if(sources)
      berth_test_binary(${room}_tests SOURCES ${sources} DEPS berth_cli berth_support)
    endif()
  endforeach()
  # The fuzzers as functions of their own names, for tests/fuzz.
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fuzz/*_fuzz.cc)
  set(fuzzers "")
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=${name})
    string(APPEND fuzzers "FUZZER(${name})\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/fuzzers/fuzzers.inc CONTENT "${fuzzers}")
  target_sources(fuzz_tests PRIVATE ${sources})
  target_include_directories(fuzz_tests PRIVATE ${CMAKE_BINARY_DIR}/fuzzers)
endmacro()

macro(berth_benchmarks)
  find_package(benchmark REQUIRED)
  add_custom_target(benchmarks)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*_bench.cc)
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE berth_options berth_cli berth_source_directory benchmark::benchmark)
    add_dependencies(benchmarks ${name})
  endforeach()
endmacro()

macro(berth_fuzzers)
  find_package(simdjson REQUIRED)  # the second opinion of json_fuzz
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fuzz/*_fuzz.cc)
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_compile_definitions(${name} PRIVATE BERTH_SIMDJSON)
    target_link_libraries(${name} PRIVATE berth_options berth_cli simdjson::simdjson)
  endforeach()
endmacro()
