import { cookiePath } from '@/lib/base/base-path'

export type Theme = 'system' | 'light' | 'dark'

/** Read by the layout on the server, so that the first paint has the right colours without a script. */
export const themeCookie = 'nod-theme'

export const isTheme = (value: string | undefined): value is Exclude<Theme, 'system'> =>
  value === 'light' || value === 'dark'

export const nextTheme = (theme: Theme): Theme => (theme === 'system' ? 'light' : theme === 'light' ? 'dark' : 'system')

/** A cookie line for `document.cookie`; `system` removes the choice. A year, this site only. */
export const themeCookieLine = (theme: Theme): string =>
  `${themeCookie}=${theme === 'system' ? '' : theme}; Path=${cookiePath}; SameSite=Lax; Max-Age=${theme === 'system' ? 0 : 31_536_000}`
