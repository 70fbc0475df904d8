import { notFound } from 'next/navigation'
import { AdminFrame } from '@/components/admin/admin-frame'
import { ServerHealth, ServerLimits, UseByDay } from '@/components/admin/server-health'
import { adminOverview } from '@/lib/server/wiring/observe/admin-overview.server'
import { titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'
import { administrator } from '../account-pages'

export const generateMetadata = () => titledPage(() => t('admin.title'))

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
