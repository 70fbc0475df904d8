import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { pageIdentity } from '@/lib/wiring/page-identity.server'
import { serverBuild } from '@/lib/wiring/build.server'
import { isTheme, themeCookie } from '@/lib/client/theme'
import { latin } from './fonts'
import './globals.css'

export const metadata: Metadata = {
  title: 'Nod',
  description: 'A chat in which any model can use tools, and nothing runs until you nod.',
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#181715' },
  ],
}

/** Reading the theme's cookie makes every page dynamic, which the nonces of the content security policy need anyway. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = (await cookies()).get(themeCookie)?.value
  const { accounts, mark } = await pageIdentity()
  return (
    <html
      lang="en"
      className={latin.variable}
      data-build={serverBuild}
      {...(accounts && { 'data-who': mark, 'data-account': mark === '' ? 'none' : 'in' })}
      {...(isTheme(theme) ? { 'data-theme': theme } : {})}
      suppressHydrationWarning
    >
      <body>{children}</body>
    </html>
  )
}
