import { plural } from '@/lib/base/locale'
import { settingsTable, type Settings } from './settings-table'

/** A limit of the server as an administrator sees it. */
export interface ShownLimit {
  readonly name: string
  readonly value: number
  /** As it is said beside the number: `reply` beside 1; milliseconds where it is a duration. */
  readonly unit: string
  /** One sentence without its end, in Markdown. */
  readonly meaning: string
  /** Somebody set it. */
  readonly isSet: boolean
}

/** All numbers that hold visitors back, in the order of the docs; never a secret, a name or an address. */
export const limitsOf = (settings: Settings): readonly ShownLimit[] =>
  Object.entries(settingsTable).flatMap(([name, setting]): readonly ShownLimit[] => {
    const value = settings[name as keyof Settings]
    if ((setting.kind !== 'number' && setting.kind !== 'duration') || typeof value !== 'number') return []
    if (setting.who === 'anyone') return []
    const unit = setting.kind === 'number' ? plural(value, setting.unit) : 'ms'
    return [{ name, value, unit, meaning: setting.meaning, isSet: value !== setting.default }]
  })
