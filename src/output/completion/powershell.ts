/** A completion script for PowerShell, on Windows and elsewhere. */

import { type CompletionCommand, topics, type Values } from './commands.js';

const q = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const array = (words: readonly string[]): string => `@(${words.map(q).join(', ')})`;

function values(known: Values): string {
  return typeof known === 'object' ? array(known.words) : known === 'text' ? '@()' : '$null';
}

/**
 * Flags and values of each command stand in one table; `$null` leaves paths to PowerShell itself.
 */
export function powershell(bin: string, commands: readonly CompletionCommand[]): string {
  const table = commands.map(({ name, flags, args }) => {
    const each = flags.flatMap(({ names, values: known }) =>
      names.map((flag) => `      ${q(flag)} = ${known === null ? "'switch'" : `@{ values = ${values(known)} }`}`),
    );
    return `    ${q(name)} = @{ args = ${values(args)}; flags = [ordered]@{\n${each.join('\n')}\n    } }`;
  });
  return `# ${bin} completion for PowerShell: ${bin} completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName ${q(bin)} -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = [ordered]@{
${table.join('\n')}
  }
  $topics = ${array([...topics(commands).keys()])}
  $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or $wordToComplete -eq '' } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $name = if ($typed.Count -gt 1 -and $topics -contains $typed[0]) { "$($typed[0]) $($typed[1])" } elseif ($typed.Count -gt 0) { $typed[0] } else { '' }
  $found = if ($typed.Count -eq 0) { @($commands.Keys | ForEach-Object { ($_ -split ' ')[0] } | Select-Object -Unique) }
  elseif ($typed.Count -eq 1 -and $topics -contains $typed[0] -and -not $wordToComplete.StartsWith('-')) {
    @($commands.Keys | Where-Object { $_ -like "$($typed[0]) *" } | ForEach-Object { ($_ -split ' ')[1] })
  }
  elseif ($commands.Contains($name)) {
    $command = $commands[$name]
    $last = $typed[-1]
    if ($command.flags.Contains($last) -and $command.flags[$last] -ne 'switch') { $command.flags[$last].values }
    elseif ($wordToComplete -match '^(--[^=]+)=') {
      $flag = $Matches[1]
      if ($command.flags.Contains($flag) -and $command.flags[$flag] -ne 'switch') { $command.flags[$flag].values | ForEach-Object { "$flag=$_" } }
    }
    elseif ($wordToComplete.StartsWith('-')) { @($command.flags.Keys) }
    else { $command.args }
  }
  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
