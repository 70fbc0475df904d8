import type { Catalogue } from '@/lib/base/catalogue'
import { errorsOf } from '@/lib/base/catalogue'

/** What whoever starts the server reads of a variable that is set wrongly. No secret stands in any of them. */
export const variableWords = {
  'variable.number': ({
    name,
    value,
    unit,
    least,
    most,
    whole,
  }: {
    readonly name: string
    readonly value: string
    readonly unit: string
    readonly least: number
    readonly most: number
    readonly whole: boolean
  }) => `${name} is “${value}”. It must be a ${whole ? 'whole ' : ''}number (${unit}) from ${least} to ${most}.`,
  'variable.duration': ({
    name,
    value,
    least,
    most,
  }: {
    readonly name: string
    readonly value: string
    readonly least: string
    readonly most: string
  }) =>
    `${name} is “${value}”. It must be a time from ${least} to ${most}: milliseconds, or a number with ms, s, m, h or d.`,
  'variable.flag': ({ name, value }: { readonly name: string; readonly value: string }) =>
    `${name} is “${value}”. It must be on or off (also 1 or 0, true or false, yes or no).`,
  'variable.choice': ({
    name,
    value,
    choices,
  }: {
    readonly name: string
    readonly value: string
    readonly choices: string
  }) => `${name} is “${value}”. It must be one of ${choices}.`,
  'variable.url': ({ name, example }: { readonly name: string; readonly example: string }) =>
    `${name} is not an address that begins with ${example}.`,
  'variable.secret-short': ({ name, least }: { readonly name: string; readonly least: number }) =>
    `${name} is too short. Set at least ${least} random characters.`,
  'variable.server-secret-short': ({ name, least }: { readonly name: string; readonly least: number }) =>
    `${name} is too short. Set at least ${least} random characters; the old one may stand in NOD_SECRET_PREVIOUS, so that nobody loses a chat.`,
  'variable.secret-missing':
    'NOD_SECRET is not set. With DATABASE_URL every server needs the same secret: set NOD_SECRET, or NOD_SECRET_FILE, to 32 random characters.',
  'variable.file-and-value': ({ name }: { readonly name: string }) =>
    `${name} and ${name}_FILE are both set. Leave one of them out.`,
  'variable.file-unreadable': ({
    name,
    file,
    problem,
  }: {
    readonly name: string
    readonly file: string
    readonly problem: string
  }) => `${name}_FILE names ${file}, which cannot be read (${problem}).`,
  'variable.file-empty': ({ name, file }: { readonly name: string; readonly file: string }) =>
    `${name}_FILE names ${file}, which is empty. Write the value into it, or leave the variable out.`,
  'variable.unknown': ({ name, nearest }: { readonly name: string; readonly nearest: string | null }) =>
    `${name} is no setting of Nod, so it does nothing.${nearest === null ? '' : ` Is ${nearest} meant?`}`,
  'variable.wrong': ({ mistakes }: { readonly mistakes: readonly string[] }) =>
    `The settings have mistakes, so the server does not start. ${mistakes.join(' ')}`,
} satisfies Catalogue

export const variableError = errorsOf(variableWords)
