import type { Catalogue } from '@/lib/base/catalogue'
import { errorsOf } from '@/lib/base/catalogue'

/** What whoever starts the server reads of a variable that is set wrongly. No secret stands in any of them. */
export const variableWords = {
  'variable.number':
    '{name} is “{value}”. It must be a {whole, select, true {whole } other {}}number ({unit}) from {least} to {most}{auto, select, true {, or auto} other {}}.',
  'variable.proxies':
    '{name} says “{value}”. It must be how many proxies stand in front (1), or their networks by commas (loopback, 10.0.0.0/8).',
  'variable.hosts':
    '{name} says “{value}”. It must be hosts by commas (huggingface.co, *.hf.co), or none: all of them by https, but those of this machine.',
  'variable.duration':
    '{name} is “{value}”. It must be a time from {least} to {most}: milliseconds, or a number with ms, s, m, h or d.',
  'variable.flag': '{name} is “{value}”. It must be on or off (also 1 or 0, true or false, yes or no).',
  'variable.choice': '{name} is “{value}”. It must be one of {choices}.',
  'variable.url': '{name} is not an address that begins with {example}.',
  'variable.secret-short': '{name} is too short. Set at least {least} random characters.',
  'variable.server-secret-short':
    '{name} is too short. Set at least {least} random characters; the old one may stand in NOD_SECRET_PREVIOUS, so that nobody loses a chat.',
  'variable.secret-missing':
    'NOD_SECRET is not set. With DATABASE_URL every server needs the same secret: set NOD_SECRET, or NOD_SECRET_FILE, to 32 random characters.',
  'variable.file-and-value': '{name} and {name}_FILE are both set. Leave one of them out.',
  'variable.file-unreadable': '{name}_FILE names {file}, which cannot be read ({problem}).',
  'variable.file-empty':
    '{name}_FILE names {file}, which is empty. Write the value into it, or leave the variable out.',
  'variable.unknown':
    '{name} is no setting of Nod, so it does nothing.{nearest, select, null {} other { Is {nearest} meant?}}',
  'variable.wrong': 'The settings have mistakes, so the server does not start. {mistakes, sentences}',
} as const satisfies Catalogue

export const variableError = errorsOf(variableWords)
