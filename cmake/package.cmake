# `cpack` (./dev package): a package for the Debian that it is built on, and an archive that can be
# unpacked anywhere. Both hold all that is installed, CBMC in build/prefix included.
set(CPACK_PACKAGE_NAME goalkeeper)
set(CPACK_PACKAGE_VENDOR "Goalkeeper")
set(CPACK_PACKAGE_CONTACT "Goalkeeper developers <goalkeeper@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "decides structural coverage goals of cyclic automotive C")
set(CPACK_PACKAGE_DESCRIPTION
    "Goalkeeper lists the coverage goals of a cyclic C module and decides each: reachable with a
replayed witness, dead with an inductive invariant that CBMC has checked again, or open.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_GENERATOR DEB TGZ)

execute_process(COMMAND sh -c ". /etc/os-release && echo $ID$VERSION_ID" OUTPUT_VARIABLE gk_release
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(CPACK_PACKAGE_FILE_NAME
    goalkeeper-${PROJECT_VERSION}-${gk_release}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${gk_release})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Names are those of Debian 12 and 13 alike. CBMC and Unity are in the package: Debian 12 has only an
# older CBMC, and what checks proofs shall be the version that was tested.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libc6, gcc, libc6-dev, clang-19, libclang1-19, libllvm19, libmpfr6, libgmp10, libsqlite3-0, libz3-4, libgcc-s1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gcc-multilib, make")
include(CPack)
