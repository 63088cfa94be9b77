# Writes what git says of the sources as a C file, if it has changed: nothing where git is not.
#   cmake -DSOURCE=FOLDER -DOUT=FILE -P describe.cmake
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --tags
                OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT text MATCHES "^[A-Za-z0-9._/+-]+$" OR NOT EXISTS ${SOURCE}/.git)
  set(text "")
endif()
set(code "extern const char program_commit[];\nconst char program_commit[] = \"${text}\";\n")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT code STREQUAL "${old}")
  file(WRITE ${OUT} "${code}")
endif()
