#compdef tilestep
# SPDX-License-Identifier: Apache-2.0
# Asks the completion for bash, which is installed beside this one's folder.
local -a choices
choices=("${(@f)$(bash -c '
  source "$1" && unset COMP_WORDBREAKS
  COMP_LINE=$2 COMP_POINT=${#2}
  _tilestep tilestep
  ((${#COMPREPLY[@]} == 0)) || printf "%s\n" "${COMPREPLY[@]}"' - \
  "${functions_source[_tilestep]:A:h}/../../bash-completion/completions/tilestep" \
  "${BUFFER[1,CURSOR]}")}")
compadd -- $choices
