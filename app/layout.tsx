import { isChatPath } from '@/lib/shared/conversation/wire/addresses'
import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import { createElement, type ReactNode } from 'react'
import { withBase } from '@/lib/base/base-path'
import { sayTo } from '@/lib/base/text/reader'
import { pageIdentity, pageLanguage } from '@/lib/server/wiring/requests/page-identity.server'
import { serverBuild } from '@/lib/server/wiring/process/build.server'
import { isLook, isTheme, lookCookie, lookNames, themeCookie } from '@/lib/client/browser/appearance'
import { pageElement } from '@/lib/client/state/foreign-nodes'
import { pathHeader } from '@/lib/server/http/access'
import { serverSettings } from '@/lib/server/wiring/settings.server'
import { t } from '@/lib/i18n/t'
import { latin } from './fonts'
import { PageFrame } from './page-frame'
import './globals.css'

export async function generateMetadata(): Promise<Metadata> {
  const language = await pageLanguage()
  return {
    title: 'Nod',
    description: sayTo(language, () => t('offline.about')),
    // Next puts no base path before it.
    manifest: withBase(`/manifest?in=${language}`),
    icons: { icon: withBase('/icon.svg'), apple: withBase('/icons/apple-180.png') },
    appleWebApp: { capable: true, title: 'Nod', statusBarStyle: 'default' },
  }
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  // The on-screen keyboard takes its room from the page, so that the field stands above it.
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

/** Reading the theme's cookie makes every page dynamic, which the nonces of the content security policy need anyway. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const chosen = await cookies()
  const theme = chosen.get(themeCookie)?.value
  const looks = lookNames.flatMap((name) => {
    const value = chosen.get(lookCookie(name))?.value
    return isLook(name, value) ? [[`data-${name}`, value] as const] : []
  })
  const { accounts, mark, signedIn } = await pageIdentity()
  const language = await pageLanguage()
  // The chat is what must come up at once.
  const extent = isChatPath((await headers()).get(pathHeader) ?? '') ? 'first' : 'all'
  return (
    <html
      lang={language}
      className={latin.variable}
      data-build={serverBuild}
      {...(keepsOffline() ? {} : { 'data-offline': 'off' })}
      {...(accounts && { 'data-who': mark, 'data-account': mark === '' ? 'none' : 'in' })}
      {...(signedIn?.account.role === 'admin' && { 'data-admin': '' })}
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
