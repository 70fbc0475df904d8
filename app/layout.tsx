import { isChatPath } from '@/lib/shared/conversation/wire/addresses'
import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import { createElement, type ReactNode } from 'react'
import { withBase } from '@/lib/base/base-path'
import { withLanguage } from '@/lib/base/text/languages'
import { pageIdentity, pageLanguage } from '@/lib/server/wiring/requests/page-identity.server'
import { webAccess } from '@/lib/server/wiring/process/hosts.server'
import { serverBuild } from '@/lib/server/wiring/process/build.server'
import { isAppearance, isTheme, appearanceCookie, appearanceNames, themeCookie } from '@/lib/client/browser/appearance'
import { pageElement } from '@/lib/client/state/foreign-nodes'
import { pathHeader } from '@/lib/server/http/access'
import { serverSettings } from '@/lib/server/wiring/settings.server'
import { t } from '@/lib/i18n/t'
import { PageFrame } from './page-frame'
import './globals.css'
import '@fontsource-variable/geist/wght.css'
import '@fontsource-variable/geist-mono/wght.css'
import localFont from 'next/font/local'

/*
 * Geist, split by script; a file loads when one of its letters is shown, so a first visit loads only the Latin one.
 * That one is declared here too, so that the page preloads it; the style sheets' family covers the others
 * (`theme.css`).
 */
const latin = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-latin',
  adjustFontFallback: false,
  // The file's properties, as in its style sheet.
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
    },
  ],
})

export async function generateMetadata(): Promise<Metadata> {
  const language = await pageLanguage()
  return {
    title: 'Nod',
    description: withLanguage(language, () => t('offline.about')),
    // Next does not add the base path here.
    manifest: withBase(`/manifest?in=${language}`),
    icons: { icon: withBase('/icon.svg'), apple: withBase('/icons/apple-180.png') },
    appleWebApp: { capable: true, title: 'Nod', statusBarStyle: 'default' },
  }
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  // The on-screen keyboard shrinks the page, so that the field stays above it.
  interactiveWidget: 'resizes-content',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#181715' },
  ],
}

function keepsOffline(): boolean {
  const settings = serverSettings()
  return settings.ok && settings.value.NOD_OFFLINE
}

function allowsReviewers(): boolean {
  const settings = serverSettings()
  return settings.ok && settings.value.NOD_REVIEWERS
}

/** Which web tools this server offers: `pages`, `search`. */
function webOffers(): Readonly<Record<string, string>> {
  const settings = serverSettings()
  const access = settings.ok ? [...webAccess(settings.value)] : []
  return access.length === 0 ? {} : { 'data-web': access.join(' ') }
}

/** Reading the theme's cookie makes every page dynamic, which the nonces of the content security policy need anyway. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const chosen = await cookies()
  const theme = chosen.get(themeCookie)?.value
  const looks = appearanceNames.flatMap((name) => {
    const value = chosen.get(appearanceCookie(name))?.value
    return isAppearance(name, value) ? [[`data-${name}`, value] as const] : []
  })
  const { accounts, mark, signedIn } = await pageIdentity()
  const language = await pageLanguage()
  // The chat must start quickly, so it gets only its own messages.
  const extent = isChatPath((await headers()).get(pathHeader) ?? '') ? 'first' : 'all'
  return (
    <html
      lang={language}
      className={latin.variable}
      data-build={serverBuild}
      {...(keepsOffline() ? {} : { 'data-offline': 'off' })}
      {...webOffers()}
      {...(accounts && { 'data-who': mark, 'data-account': mark === '' ? 'none' : 'in' })}
      {...(signedIn?.account.role === 'admin' && { 'data-admin': '' })}
      {...(signedIn && allowsReviewers() && { 'data-reviewers': '' })}
      {...(isTheme(theme) ? { 'data-theme': theme } : {})}
      {...Object.fromEntries(looks)}
      suppressHydrationWarning
    >
      <body>
        {createElement(
          pageElement,
          { className: 'contents' },
          <PageFrame language={language} extent={extent}>
            {children}
          </PageFrame>,
        )}
      </body>
    </html>
  )
}
