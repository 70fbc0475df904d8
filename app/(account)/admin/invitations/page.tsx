import { isOver, wallClock } from '@/lib/base/clocks'
import { AdminFrame } from '@/components/admin/admin-frame'
import { InvitationList } from '@/components/admin/invitation-list'
import { titledPage } from '@/lib/server/wiring/requests/page-identity.server'
import { t } from '@/lib/i18n/t'
import { textOf, type PageQuery, administrator, PAGE_ROWS } from '../../account-pages'

export const generateMetadata = () => titledPage(() => t('admin.invitations'))

const hasPassed = (time: number): boolean => isOver(time, wallClock())

export default async function InvitationsPage({ searchParams }: PageQuery) {
  const { accounts, account } = await administrator('/admin/invitations')
  const after = textOf((await searchParams)['after'])
  const page = await accounts.listInvitations(account, { limit: PAGE_ROWS, ...(after !== null && { after }) })
  return (
    <AdminFrame here="/admin/invitations">
      <InvitationList
        key={String(after)}
        invitations={page.invitations.map(({ id, kind, email, role, createdAt, expiresAt, usedAt, revokedAt }) => ({
          id,
          kind,
          email,
          role,
          createdAt,
          expiresAt,
          state: usedAt !== null ? 'used' : revokedAt !== null ? 'revoked' : hasPassed(expiresAt) ? 'ended' : 'open',
        }))}
        next={page.next}
      />
    </AdminFrame>
  )
}
