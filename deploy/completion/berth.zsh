#compdef berth
# Completion of berth for zsh.
_berth() {
  local -a commands common
  commands=(
    'plan:what would run where, and why the rest would not'
    'explain:why one pod or workload runs or does not'
    'allocate:which devices claims get on a node, or why none'
    'case:run case files and check their expected ends'
    'cel:evaluate an expression, or run lines of the CEL suite'
    'sim:replay traces and studies on virtual time'
    'help:explain a command'
    'version:print the version'
  )
  common=(
    '--help[explain the command]'
    '--seed=[draws the order of nodes with equal scores]:number:'
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    plan)
      _arguments $common '(-o --output)'{-o,--output=}'[format]:format:(json wide yaml)' \
        '--defragment[also print moves that make room]' '--moves=[at most so many moves]:number:' \
        '(--profile)--config=[KubeSchedulerConfiguration]:file:_files' \
        '--kubernetes=[version]:version:(1.34 1.35 1.36 1.37)' '--features=[feature gates]:gates:' \
        '(--config)--profile=[profile]:profile:(berth kube-default)' '*:file:_files'
      ;;
    explain)
      _arguments $common '(-o --output)'{-o,--output=}'[format]:format:(json)' \
        '(-n --namespace)'{-n,--namespace=}'[where to look]:namespace:' \
        '(--profile)--config=[KubeSchedulerConfiguration]:file:_files' \
        '--kubernetes=[version]:version:(1.34 1.35 1.36 1.37)' '--features=[feature gates]:gates:' \
        '(--config)--profile=[profile]:profile:(berth kube-default)' '1:object:' '*:file:_files'
      ;;
    allocate)
      _arguments '--help[explain the command]' '(-o --output)'{-o,--output=}'[format]:format:(json yaml)' \
        '--mode=[whose choice of devices]:mode:(strict best)' '--node=[the node]:node:' \
        '--kubernetes=[version]:version:(1.34 1.35 1.36 1.37)' '--features=[feature gates]:gates:' '*:file:_files'
      ;;
    case)
      _arguments $common '(-o --output)'{-o,--output=}'[format]:format:(json)' '*:file:_files'
      ;;
    cel)
      _arguments '--help[explain the command]' '*--suite=[lines of the suite]:file:_files' \
        '(-o --output)'{-o,--output=}'[format]:format:(json)' '1:expression:'
      ;;
    sim)
      local formats='json csv'
      [[ $words[2] == (mig|mixed) ]] && formats='json'
      _arguments '--help[explain the command]' '--nodes=[list of nodes]:file:_files' '--pods=[list of pods]:file:_files' \
        '--policy=[policy]:policy:(random dotprod clustering packing bestfit fgd cardpacking berth berth-learned all)' '--seeds=[A-B]:seeds:' \
        '--ties=[how equal scores are settled]:ties:(fixed random)' '--svg=[chart]:file:_files' '--threads=[runs at a time]:number:' \
        '--bound[also print what no policy can exceed]' \
        '--replay=[pods leave, as in the trace]:percent:' '--load=[pods leave, at this load]:percent:' \
        '(-o --output)'{-o,--output=}"[format]:format:($formats)" '--card=[geometry]:card:(a100 h100)' '--a100=[nodes]:number:' '--h100=[nodes]:number:' \
        '1:study:(openb mig mixed consolidation deadlock philly)' \
        '--demand=[percent of the capacity]:percents:' '--trials=[random orders]:number:' '--worlds=[per seed]:number:' '--moves=[at most so many]:number:'
      ;;
    help)
      _describe 'command' commands
      ;;
  esac
}
_berth "$@"
