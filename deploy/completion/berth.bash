# Completion of berth for bash.
_berth() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]:-}
  COMPREPLY=()
  # Bash takes --output=json apart into three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "plan explain allocate case cel sim help version --help --version" -- "$current"))
    return
  fi
  case $previous in
    -o | --output)
      case $command in
        plan) COMPREPLY=($(compgen -W "json wide yaml" -- "$current")) ;;
        allocate) COMPREPLY=($(compgen -W "json yaml" -- "$current")) ;;
        sim)
          if [[ ${COMP_WORDS[2]} == mig || ${COMP_WORDS[2]} == mixed ]]; then
            COMPREPLY=($(compgen -W "json" -- "$current"))
          else
            COMPREPLY=($(compgen -W "json csv" -- "$current"))
          fi
          ;;
        *) COMPREPLY=($(compgen -W "json" -- "$current")) ;;
      esac
      return
      ;;
    --profile)
      COMPREPLY=($(compgen -W "berth kube-default" -- "$current"))
      return
      ;;
    --mode)
      COMPREPLY=($(compgen -W "strict best" -- "$current"))
      return
      ;;
    --kubernetes)
      COMPREPLY=($(compgen -W "1.34 1.35 1.36 1.37" -- "$current"))
      return
      ;;
    --policy)
      COMPREPLY=($(compgen -W "random dotprod clustering packing bestfit fgd cardpacking berth berth-learned all" -- "$current"))
      return
      ;;
    --card)
      COMPREPLY=($(compgen -W "a100 h100" -- "$current"))
      return
      ;;
    --ties)
      COMPREPLY=($(compgen -W "fixed random" -- "$current"))
      return
      ;;
    --features | --node | --seed | --seeds | --threads | -n | --namespace)
      return
      ;;
  esac
  if [[ $current == -* ]]; then
    local options
    case $command in
      plan) options="--help --output --defragment --moves --config --profile --seed --kubernetes --features" ;;
      explain) options="--help --namespace --output --config --profile --seed --kubernetes --features" ;;
      allocate) options="--help --mode --node --output --kubernetes --features" ;;
      case) options="--help --output --seed" ;;
      cel) options="--help --filename --suite --output --kubernetes --features" ;;
      sim)
        case "${COMP_WORDS[2]}" in
          mig) options="--help --card --load --cards --arrivals --seeds --small-worlds --output" ;;
          mixed) options="--help --a100 --h100 --cards --load --arrivals --seeds --small-worlds --threads --output" ;;
          consolidation) options="--help --worlds --seeds --moves --output" ;;
          deadlock) options="--help --demand --trials --nodes --gpus-per-node --pods --gpus --run --between --seed --output --svg --threads" ;;
          philly) options="--help --jobs --nodes --scale --output --svg --threads" ;;
          *) options="--help --nodes --pods --policy --seeds --ties --output --svg --threads --bound --replay --load" ;;
        esac
        ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  if [[ $command == sim && $COMP_CWORD -eq 2 ]]; then
    COMPREPLY=($(compgen -W "openb mig mixed consolidation deadlock philly" -- "$current"))
    return
  fi
  if [[ $command == help ]]; then
    COMPREPLY=($(compgen -W "plan explain allocate case cel sim" -- "$current"))
    return
  fi
  if [[ $command == explain && $COMP_CWORD -eq 2 ]]; then
    COMPREPLY=($(compgen -S / -W "pod deploy rs rc sts ds job cj pg cpg wl" -- "$current") $(compgen -f -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _berth berth
