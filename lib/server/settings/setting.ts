import type { Forms } from '@/lib/base/text/locale'

/** What every variable says of itself; the tables of the docs are written from it. */
interface Described {
  /** The page whose table it stands in. */
  readonly page: 'hosting' | 'models'
  /** Full sentences, in Markdown. */
  readonly meaning: string
  /** Who has a reason to set it. */
  readonly who:
    | 'anyone'
    | 'open servers'
    | 'behind a proxy'
    | 'several nodes'
    | 'many people'
    | 'operators'
    | 'servers with accounts'
  /** What is in the table instead of the default, where that is made at the start. */
  readonly otherwise?: string
}

interface NumberSetting extends Described {
  readonly kind: 'number'
  /** One of them, many of them: `reply`, `replies`. */
  readonly unit: Forms
  readonly least: number
  readonly most: number
  readonly default: number
  /** Numbers with decimals are taken too. */
  readonly decimals?: true
  /** It is a part of one, from 0 to 1, which people read as a percentage. */
  readonly percentage?: true
  /** `auto` is taken too, and read as 0: the server finds out by itself. */
  readonly auto?: true
}

/**
 * How many proxies are in front of the server, one after the other, or from which networks they connect: `10.0.0.0/8`, an
 * address, or `loopback`. `on` is one, `off` none.
 */
interface ProxiesSetting extends Described {
  readonly kind: 'proxies'
  readonly default: 0
}

/**
 * Hosts by commas that a browser may be let to connect to: `huggingface.co, *.hf.co`. The value is their sources in a
 * Content-Security-Policy; `none` is no host at all.
 */
interface HostsSetting extends Described {
  readonly kind: 'hosts'
  /** As it would be written. */
  readonly default: string
  /** Words for lists of sources, beside `none`. */
  readonly named?: Readonly<Record<string, readonly string[]>>
  /** Hosts may be reached by http where that is written before their name. */
  readonly http?: boolean
}

/** Milliseconds, or with a unit: `500ms`, `30s`, `5m`, `2h`, `30d`. The value is in milliseconds. */
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

/** By commas, without what is empty or stands twice. */
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

/** Never shown; also from the file that `<name>_FILE` names. */
export interface SecretSetting extends Described {
  readonly kind: 'secret'
  readonly leastChars?: number
}

/** Several of them by commas; in the file a line each. */
interface SecretsSetting extends Described {
  readonly kind: 'secrets'
}

/** An address; never shown, since it may hold a password. `secret`: also from the file that `<name>_FILE` names. */
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

/** What a variable is read as; null where nothing is set and it has no default. */
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

/** May be read from a file. */
export const isSecret = (setting: Setting): boolean =>
  setting.kind === 'secret' || setting.kind === 'secrets' || (setting.kind === 'url' && setting.secret === true)
