# Completion of berth for fish.
complete -c berth -n __fish_use_subcommand -f -a plan -d 'what would run where, and why the rest would not'
complete -c berth -n __fish_use_subcommand -f -a explain -d 'why one pod or workload runs or does not'
complete -c berth -n __fish_use_subcommand -f -a allocate -d 'which devices claims get on a node, or why none'
complete -c berth -n __fish_use_subcommand -f -a case -d 'run case files and check their expected ends'
complete -c berth -n __fish_use_subcommand -f -a cel -d 'evaluate an expression, or run lines of the CEL suite'
complete -c berth -n '__fish_seen_subcommand_from cel' -l suite -r -d 'files of conformance lines'
complete -c berth -n '__fish_seen_subcommand_from cel' -s f -l filename -r -d 'files with ResourceSlices'
complete -c berth -n __fish_use_subcommand -f -a sim -d 'replay traces and studies on virtual time'
complete -c berth -n __fish_use_subcommand -f -a help -d 'explain a command'
complete -c berth -n __fish_use_subcommand -f -a version -d 'print the version'
complete -c berth -s h -l help -d 'explain the command'
complete -c berth -n '__fish_seen_subcommand_from plan' -s o -l output -x -a 'json wide yaml' -d format
complete -c berth -n '__fish_seen_subcommand_from allocate' -s o -l output -x -a 'json yaml' -d format
complete -c berth -n '__fish_seen_subcommand_from allocate' -l mode -x -a 'strict best' -d 'whose choice of devices'
complete -c berth -n '__fish_seen_subcommand_from allocate' -l node -x -d 'the node'
complete -c berth -n '__fish_seen_subcommand_from explain case cel' -s o -l output -x -a json -d format
complete -c berth -n '__fish_seen_subcommand_from plan' -l defragment -d 'moves that make room'
complete -c berth -n '__fish_seen_subcommand_from plan' -l moves -x -d 'at most so many moves'
complete -c berth -n '__fish_seen_subcommand_from plan explain' -l config -r -d KubeSchedulerConfiguration
complete -c berth -n '__fish_seen_subcommand_from plan explain allocate' -l kubernetes -x -a '1.34 1.35 1.36 1.37' -d 'version'
complete -c berth -n '__fish_seen_subcommand_from plan explain allocate' -l features -x -d 'feature gates'
complete -c berth -n '__fish_seen_subcommand_from plan explain' -l profile -x -a 'berth kube-default' -d profile
complete -c berth -n '__fish_seen_subcommand_from plan explain case' -l seed -x -d 'order of nodes with equal scores'
complete -c berth -n '__fish_seen_subcommand_from explain' -s n -l namespace -x -d 'where to look'
complete -c berth -n '__fish_seen_subcommand_from sim' -f -a openb -d 'the fragmentation study'
complete -c berth -n '__fish_seen_subcommand_from sim' -f -a mig -d 'the MIG packing study'
complete -c berth -n '__fish_seen_subcommand_from sim' -f -a mixed -d 'partitions, shares and whole cards on A100 and H100 nodes'
complete -c berth -n '__fish_seen_subcommand_from sim' -f -a consolidation -d 'moves that open whole nodes'
complete -c berth -n '__fish_seen_subcommand_from sim; and __fish_seen_subcommand_from consolidation' -l worlds -x -d 'worlds per seed'
complete -c berth -n '__fish_seen_subcommand_from sim; and __fish_seen_subcommand_from consolidation' -l moves -x -d 'at most so many moves'
complete -c berth -n '__fish_seen_subcommand_from sim' -f -a philly -d 'the Philly trace'
complete -c berth -n '__fish_seen_subcommand_from sim' -f -a deadlock -d 'gangs that wait for each other'
complete -c berth -n '__fish_seen_subcommand_from sim; and __fish_seen_subcommand_from deadlock' -l demand -x -d 'percent of the capacity'
complete -c berth -n '__fish_seen_subcommand_from sim; and __fish_seen_subcommand_from deadlock' -l trials -x -d 'random orders'
complete -c berth -n '__fish_seen_subcommand_from sim' -l nodes -r -d 'list of nodes'
complete -c berth -n '__fish_seen_subcommand_from sim' -l pods -r -d 'list of pods'
complete -c berth -n '__fish_seen_subcommand_from sim' -l policy -x -a 'random dotprod clustering packing bestfit fgd cardpacking berth berth-learned all' -d policy
complete -c berth -n '__fish_seen_subcommand_from sim' -l seeds -x -d 'A-B'
complete -c berth -n '__fish_seen_subcommand_from sim; and not __fish_seen_subcommand_from mig mixed' -s o -l output -x -a 'json csv' -d format
complete -c berth -n '__fish_seen_subcommand_from sim; and __fish_seen_subcommand_from mig mixed' -s o -l output -x -a json -d format
complete -c berth -n '__fish_seen_subcommand_from sim; and __fish_seen_subcommand_from mig' -l card -x -a 'a100 h100' -d geometry
complete -c berth -n '__fish_seen_subcommand_from sim; and __fish_seen_subcommand_from mixed' -l a100 -x -d 'nodes with A100 cards'
complete -c berth -n '__fish_seen_subcommand_from sim; and __fish_seen_subcommand_from mixed' -l h100 -x -d 'nodes with H100 cards'
complete -c berth -n '__fish_seen_subcommand_from sim' -l ties -x -a 'fixed random' -d 'how equal scores are settled'
complete -c berth -n '__fish_seen_subcommand_from sim' -l svg -r -d chart
complete -c berth -n '__fish_seen_subcommand_from sim' -l bound -d 'what no policy can exceed'
complete -c berth -n '__fish_seen_subcommand_from sim' -l replay -x -d 'pods leave, as in the trace'
complete -c berth -n '__fish_seen_subcommand_from sim' -l load -x -d 'pods leave, at this load'
complete -c berth -n '__fish_seen_subcommand_from sim' -l threads -x -d 'runs at a time'
