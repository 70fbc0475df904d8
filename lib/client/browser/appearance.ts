import { cookiePath } from '@/lib/base/base-path'

/*
 * How this browser shows Nod, beside theme and language: cookies, so that the server's first HTML has it already. They are of the browser,
 * not of the account: a phone and a desk want different ones.
 */

export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]
export const densityCookie = 'nod-density'
export const isDensity = (value: unknown): value is Density => densities.includes(value as Density)

/** Which key sends a message; the other one makes a line. */
export const sendKeys = ['enter', 'mod-enter'] as const
export type SendKey = (typeof sendKeys)[number]
export const sendKeyCookie = 'nod-send'
export const isSendKey = (value: unknown): value is SendKey => sendKeys.includes(value as SendKey)

/** A cookie line for `document.cookie`. A year, this site only. */
export const appearanceCookie = (cookie: string, value: Density | SendKey): string =>
  `${cookie}=${value}; Path=${cookiePath}; SameSite=Lax; Max-Age=31536000`

/** What a name stands for in `document.cookie`. */
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

export const nextTheme = (theme: Theme): Theme => (theme === 'system' ? 'light' : theme === 'light' ? 'dark' : 'system')

/** A cookie line for `document.cookie`; `system` removes the choice. A year, this site only. */
export const themeCookieLine = (theme: Theme): string =>
  `${themeCookie}=${theme === 'system' ? '' : theme}; Path=${cookiePath}; SameSite=Lax; Max-Age=${theme === 'system' ? 0 : 31_536_000}`
