import { notFound } from 'next/navigation'
import { AdminFrame } from '@/components/admin/admin-frame'
import { ServerHealth } from '@/components/admin/server-health'
import { ServerLimits } from '@/components/admin/server-limits'
import { UseByDay } from '@/components/admin/use-by-day'
import { adminOverview } from '@/lib/wiring/admin-overview.server'
import { titledPage } from '@/lib/wiring/page-language.server'
import { adminSentence } from '@/lib/words/admin'
import { administrator } from './admin'

export const generateMetadata = () => titledPage(() => adminSentence('admin.title'))

export default async function AdminPage() {
  await administrator('/admin')
  const overview = await adminOverview()
  if (!overview) notFound()
  const { health, limits, use, days } = overview
  return (
    <AdminFrame here="/admin">
      <ServerHealth {...health} />
      <UseByDay rows={use} days={days} />
      <ServerLimits limits={limits} />
    </AdminFrame>
  )
}
