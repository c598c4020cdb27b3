# SPDX-License-Identifier: Apache-2.0
# The features' folders, from features.def. A folder's panel*.cpp belong to the window; its other
# sources belong to the part that builds without a window. Its tests are divided in the same way.
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/src/features/features.def)
file(STRINGS ${PROJECT_SOURCE_DIR}/src/features/features.def TILESTEP_FEATURES
     REGEX "^TILESTEP_")
list(TRANSFORM TILESTEP_FEATURES REPLACE "^TILESTEP_[A-Z_]+\\((.*)\\)" "\\1")

foreach(feature ${TILESTEP_FEATURES})
  set(folder ${PROJECT_SOURCE_DIR}/src/features/${feature})
  if(NOT EXISTS ${folder}/feature.cpp)
    message(FATAL_ERROR "src/features/features.def lists ${feature}, but there is no "
                        "src/features/${feature}/feature.cpp")
  endif()
endforeach()

# Sets ${windowless} and ${panels} to the sources in the features' folders below `root` that match
# *`ending`.
function(tilestep_feature_sources root ending windowless panels)
  foreach(feature ${TILESTEP_FEATURES})
    file(GLOB sources CONFIGURE_DEPENDS ${root}/${feature}/*${ending})
    foreach(source ${sources})
      get_filename_component(name ${source} NAME)
      if(name MATCHES "^panel")
        list(APPEND with_window ${source})
      else()
        list(APPEND without ${source})
      endif()
    endforeach()
  endforeach()
  set(${windowless} ${without} PARENT_SCOPE)
  set(${panels} ${with_window} PARENT_SCOPE)
endfunction()
