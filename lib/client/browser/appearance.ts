import { cookiePath } from '@/lib/base/base-path'

/*
 * How this browser shows Nod, beside theme and language: cookies, so that the server's first HTML already has it. They
 * belong to the browser, not to the account: a phone and a desktop need different ones.
 */

/**
 * The choices: each is a cookie `nod-<name>` and the attribute `data-<name>` of the page. The first value is the
 * default.
 */
export const looks = {
  density: ['comfortable', 'compact'],
  /** Which key sends a message; the other one makes a line break. */
  send: ['enter', 'mod-enter'],
  /** How large text is. */
  text: ['normal', 'large', 'larger'],
  /** How wide the column of messages is. */
  width: ['normal', 'wide', 'full'],
  /** The scroll position while a reply is written: it follows the end, or stays at the beginning. */
  follow: ['end', 'start'],
  /** Reading aloud and dictation, which may send text or sound to the maker of the browser. */
  speech: ['off', 'on'],
} as const

export type AppearanceName = keyof typeof looks
export type AppearanceValues = { readonly [Name in AppearanceName]: (typeof looks)[Name][number] }
export const appearanceNames = Object.keys(looks) as readonly AppearanceName[]
export const appearanceCookie = (name: AppearanceName): string => `nod-${name}`
export const isAppearance = <Name extends AppearanceName>(
  name: Name,
  value: unknown,
): value is AppearanceValues[Name] => (looks[name] as readonly unknown[]).includes(value)

/** A cookie line for `document.cookie`. A year, this site only. */
export const appearanceCookieLine = <Name extends AppearanceName>(name: Name, value: AppearanceValues[Name]): string =>
  `${appearanceCookie(name)}=${value}; Path=${cookiePath}; SameSite=Lax; Max-Age=31536000`

/** The value of a name in `document.cookie`. */
export const cookieIn = (cookies: string, name: string): string | undefined =>
  cookies
    .split('; ')
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1)

export type Theme = 'system' | 'light' | 'dark'

/** Read by the layout on the server, so that the first paint has the right colours without a script. */
export const themeCookie = 'nod-theme'

export const isTheme = (value: string | undefined): value is Exclude<Theme, 'system'> =>
  value === 'light' || value === 'dark'

/** A cookie line for `document.cookie`; `system` removes the choice. A year, this site only. */
export const themeCookieLine = (theme: Theme): string =>
  `${themeCookie}=${theme === 'system' ? '' : theme}; Path=${cookiePath}; SameSite=Lax; Max-Age=${theme === 'system' ? 0 : 31_536_000}`
