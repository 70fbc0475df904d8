import type { Forms } from '@/lib/base/text/locale'

/** The description of a variable; the tables in the docs are generated from it. */
interface Described {
  /** The docs page whose table contains it. */
  readonly page: 'hosting' | 'models'
  /** Full sentences, in Markdown. */
  readonly meaning: string
  /** Who might need to set it. */
  readonly who:
    | 'anyone'
    | 'open servers'
    | 'behind a proxy'
    | 'several nodes'
    | 'many people'
    | 'operators'
    | 'servers with accounts'
  /** Shown in the table instead of the default, if that is computed at the start. */
  readonly otherwise?: string
}

interface NumberSetting extends Described {
  readonly kind: 'number'
  /** Singular and plural: `reply`, `replies`. */
  readonly unit: Forms
  readonly least: number
  readonly most: number
  readonly default: number
  /** Decimal numbers are accepted too. */
  readonly decimals?: true
  /** A share from 0 to 1, shown as a percentage. */
  readonly percentage?: true
  /** `auto` is accepted too, and read as 0: the server determines the value. */
  readonly auto?: true
}

/**
 * How many proxies in a row are in front of the server, or the networks that they connect from: `10.0.0.0/8`, an
 * address, or `loopback`. `on` means one, `off` none.
 */
interface ProxiesSetting extends Described {
  readonly kind: 'proxies'
  readonly default: 0
}

/**
 * Hosts, separated by commas, that a browser may connect to: `huggingface.co, *.hf.co`. The value is their sources in a
 * Content-Security-Policy; `none` means no host.
 */
interface HostsSetting extends Described {
  readonly kind: 'hosts'
  /** As written in the variable. */
  readonly default: string
  /** Names for lists of sources, in addition to `none`. */
  readonly named?: Readonly<Record<string, readonly string[]>>
  /** Hosts may use HTTP if that is written before their name. */
  readonly http?: boolean
}

/** Milliseconds, or a number with a unit: `500ms`, `30s`, `5m`, `2h`, `30d`. The value is in milliseconds. */
interface DurationSetting extends Described {
  readonly kind: 'duration'
  readonly least: number
  readonly most: number
  readonly default: number
}

/** `1`, `true`, `on`, `yes` or `0`, `false`, `off`, `no`. */
interface FlagSetting extends Described {
  readonly kind: 'flag'
  readonly default: boolean
}

/** Separated by commas, without empty and repeated entries. */
export interface ListSetting extends Described {
  readonly kind: 'list'
}

interface TextSetting extends Described {
  readonly kind: 'text'
  readonly default?: string
}

interface ChoiceSetting extends Described {
  readonly kind: 'choice'
  readonly choices: readonly string[]
  readonly default: string
}

/** Never shown; can also be read from the file that `<name>_FILE` names. */
export interface SecretSetting extends Described {
  readonly kind: 'secret'
  readonly minChars?: number
}

/** Several secrets separated by commas, or one per line in a file. */
interface SecretsSetting extends Described {
  readonly kind: 'secrets'
}

/**
 * A URL; never shown, because it may contain a password. `secret`: can also be read from the file that `<name>_FILE`
 * names.
 */
interface UrlSetting extends Described {
  readonly kind: 'url'
  /** Without the colon. */
  readonly protocols: readonly string[]
  readonly secret?: true
}

export type Setting =
  | NumberSetting
  | DurationSetting
  | ProxiesSetting
  | HostsSetting
  | FlagSetting
  | ListSetting
  | TextSetting
  | ChoiceSetting
  | SecretSetting
  | SecretsSetting
  | UrlSetting

/** The type of a variable's value; null if it is unset and has no default. */
export type ValueOf<S extends Setting> = S extends NumberSetting | DurationSetting
  ? number
  : S extends ProxiesSetting
    ? number | readonly string[]
    : S extends FlagSetting
      ? boolean
      : S extends ListSetting | SecretsSetting | HostsSetting
        ? readonly string[]
        : S extends ChoiceSetting
          ? S['choices'][number]
          : S extends TextSetting & { readonly default: string }
            ? string
            : string | null

/** Whether it can be read from a file. */
export const isSecret = (setting: Setting): boolean =>
  setting.kind === 'secret' || setting.kind === 'secrets' || (setting.kind === 'url' && setting.secret === true)
