# SPDX-License-Identifier: Apache-2.0
# Completes tilestep's commands, options and their values in bash. Commands and options are those of
# the program's own help, so that none is missing here.

# The first word of each line in one section of the help: "Subcommands", "Positionals".
_tilestep_section() { # PROGRAM SECTION [COMMAND]
  "$1" ${3:+"$3"} --help 2>/dev/null | sed -n "/^$2:/,/^\$/s/^  \([^ ].*\)/\1/p"
}

# The type that the help gives an option, such as DEVICE; nothing for a flag.
_tilestep_type() { # PROGRAM COMMAND OPTION
  "$1" ${2:+"$2"} --help 2>/dev/null | sed -n "s/^  \(.*,\)\{0,1\}$3\(,[^ ]*\)\{0,1\} \([^ ]*\).*/\3/p" 2>/dev/null
}

# The folder with Tilestep's files, looked for as the program does.
_tilestep_home() { # PROGRAM
  local folder=${TILESTEP_HOME:-} place
  [[ -n $folder ]] || folder=$(dirname "$(readlink -f "$(command -v "$1")")")
  while :; do
    for place in "$folder" "$folder/share/tilestep"; do
      [[ -d $place/kernels && -d $place/shaders ]] && { printf '%s\n' "$place"; return; }
    done
    [[ $folder == / || $folder == . ]] && return 1
    folder=$(dirname "$folder")
  done
}

# The names of the files in a folder of Tilestep's, without their ending, each after a prefix.
_tilestep_names() { # PROGRAM FOLDER ENDING [PREFIX]
  local home
  home=$(_tilestep_home "$1") || return 0
  find "$home/$2" -maxdepth 1 -name "*$3" 2>/dev/null | sed "s|.*/|${4:-}|; s|\\$3\$||"
}

# What an option or an argument of a type can be, besides files.
_tilestep_values() { # PROGRAM OPTION TYPE
  case "$2 $3" in
    --what-if*) _tilestep_names "$1" assets/devices .toml; echo all ;;
    *DEVICE*)
      printf '%s\n' auto simt
      find /proc/driver/nvidia/gpus -mindepth 1 -maxdepth 1 2>/dev/null | awk '{print "cuda:" NR - 1}'
      _tilestep_names "$1" assets/recordings .tsrec recorded:
      ;;
    *KERNEL*)
      "$1" kernels 2>/dev/null | sed -n '2,/^$/s/ .*//p'
      case "$3" in *none*) echo none ;; esac
      ;;
    *LESSON*) _tilestep_names "$1" assets/lessons .md ;;
  esac
}

_tilestep() {
  # Split at blanks only: readline also splits at the colon of recorded:NAME and at the = of --device=.
  local line=${COMP_LINE:0:COMP_POINT} program=$1 commands command='' option='' type='' current word
  local words=()
  read -ra words <<<"$line"
  [[ $line == *[[:blank:]] ]] && words+=('')
  current=${words[${#words[@]} - 1]}
  words=("${words[@]:1:${#words[@]}-2}")
  commands=$(_tilestep_section "$program" Subcommands | sed 's/ .*//')
  for word in "${words[@]}"; do
    [[ -z $command ]] && grep -qxF -e "$word" <<<"$commands" && command=$word
    option=$word
  done
  local typed=$current
  case "$current" in --*=*) option=${current%%=*} typed=${current#*=} ;; esac
  case "$option" in --*) type=$(_tilestep_type "$program" "$command" "$option") ;; esac
  case "$type" in Excludes:) type='' ;; esac

  local choices='' files=no
  if [[ -n $type ]]; then
    choices=$(_tilestep_values "$program" "$option" "$type")
    case "$type" in *FILE* | *.md* | DIR) files=yes ;; esac
  elif [[ $typed == -* ]]; then
    choices=$(_tilestep_section "$program" Options "$command" | grep -oE '^-[^ ]*' | tr ',' '\n')
  elif [[ -z $command ]]; then
    choices=$commands
  else
    type=$(_tilestep_section "$program" Positionals "$command" | awk 'NR == 1 {print $2}')
    choices=$(_tilestep_values "$program" '' "$type")
    case "$type" in *FILE* | *KERNEL* | *.md*) files=yes ;; esac
  fi

  # readline replaces only what follows the last of its word breaks.
  local found kept='' break
  for break in : =; do
    [[ ${COMP_WORDBREAKS-} == *$break* && $current == *$break* ]] || continue
    found=${current%"${current##*"$break"}"}
    ((${#found} > ${#kept})) && kept=$found
  done
  COMPREPLY=()
  while IFS= read -r found; do
    [[ -z $found ]] && continue
    found=${current%"$typed"}$found
    COMPREPLY+=("${found#"$kept"}")
  done < <(compgen -W "$choices" -- "$typed"; [[ $files == yes ]] && compgen -f -- "$typed")
  [[ $files == yes ]] && compopt -o filenames 2>/dev/null
  return 0
}
complete -F _tilestep tilestep
