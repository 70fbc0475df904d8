import { textOfKey } from '@/lib/i18n/t'
import { formatDuration } from '@/lib/base/text/locale'
import type { Setting } from './setting'
import { settingsTable, type Settings } from './settings-table'

/** A limit of the server as shown to an administrator, in the reader’s language. */
export interface ShownLimit {
  readonly name: string
  /** With its unit: “1 reply”, “30.0 s”. */
  readonly amount: string
  /** One sentence without its period. */
  readonly meaning: string
  /** Whether the operator set it. */
  readonly isSet: boolean
}

/** More precise than any useful setting, without rounding errors like 7.000000000000001 %. */
const PERCENT_DIGITS = 6

type Limit = Extract<Setting, { readonly kind: 'number' | 'duration' }>

/** All numeric limits for visitors, in the order of the docs; never a secret, a name or an address. */
const limits: readonly (readonly [string, Limit])[] = Object.entries<Setting>(settingsTable).flatMap(
  ([name, setting]) =>
    (setting.kind === 'number' || setting.kind === 'duration') && setting.who !== 'anyone' ? [[name, setting]] : [],
)

/** The meaning of an unset number: “any”, “never”. Zero means unlimited there. */
const otherwiseReason = (otherwise: string): string => `limit.otherwise.${otherwise.replaceAll(' ', '-')}`

const unitReason = ({ other }: { readonly other: string }): string => `limit.unit.${other.replaceAll(' ', '-')}`

function amountOf(setting: Limit, value: number): string | null {
  if (setting.kind === 'duration') return formatDuration(value)
  if (setting.otherwise !== undefined && value === setting.default)
    return textOfKey(otherwiseReason(setting.otherwise), {})
  const count = setting.percentage ? Number((value * 100).toFixed(PERCENT_DIGITS)) : value
  return textOfKey(unitReason(setting.unit), { count })
}

export const limitsOf = (settings: Settings): readonly ShownLimit[] =>
  limits.flatMap(([name, setting]): readonly ShownLimit[] => {
    const value = settings[name as keyof Settings]
    if (typeof value !== 'number') return []
    const amount = amountOf(setting, value)
    const meaning = textOfKey(`limit.${name}`, {})
    return [{ name, amount: amount ?? String(value), meaning: meaning ?? '', isSet: value !== setting.default }]
  })
