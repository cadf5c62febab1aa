/** Converts an address that a person copies from a code host to the address of the raw file. */
import { err, ok, type Result } from '../../../base/result'

export interface RemoteFile {
  url: string
  host: string
  /** Last part of the path. */
  name: string
  /** True on the page's own host. */
  own: boolean
}

/** @param page the page's own address; a relative address is resolved against it @returns the address, or one sentence */
export function remoteFile(text: string, page: string): Result<RemoteFile, string> {
  let url: URL
  try {
    url = new URL(text.trim(), page)
  } catch {
    return err(`“${text.slice(0, 80)}” is not an address.`)
  }
  const raw = rawAddress(url)
  if (!raw.ok) return raw
  url = raw.value
  const own = url.origin === new URL(page).origin
  const local = url.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname)
  if (!own && !local && url.protocol !== 'https:')
    return err(`Only https addresses can be opened, not ${url.protocol.replace(':', '')}.`)
  if (url.username !== '' || url.password !== '') return err('An address with a password is not opened.')
  url.hash = ''
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? url.hostname
  return ok({ url: url.href, host: url.host, name: decoded(last), own })
}

/** Converts a code host's page about a file to the address of its text. */
function rawAddress(url: URL): Result<URL, string> {
  const parts = url.pathname.split('/').slice(1)
  switch (url.hostname) {
    case 'github.com':
    case 'www.github.com': {
      const [owner, repo, kind, ...rest] = parts
      if ((kind === 'blob' || kind === 'raw') && rest.length >= 2)
        return ok(new URL(`https://raw.githubusercontent.com/${owner}/${repo}/${rest.join('/')}`))
      return err('This is a page of GitHub: open the file there and use its address, …/blob/BRANCH/FILE.')
    }
    case 'gist.github.com': {
      const [user, id, raw, ...rest] = parts
      if (user && /^[0-9a-f]{8,}$/i.test(id ?? ''))
        return ok(
          new URL(
            `https://gist.githubusercontent.com/${user}/${id}/raw${raw === 'raw' ? rest.map((p) => `/${p}`).join('') : raw ? `/${raw}` : ''}`,
          ),
        )
      return err('This gist’s address has no user: press Raw on its page and use that address.')
    }
    case 'huggingface.co':
      return ok(new URL(url.href.replace('/blob/', '/resolve/')))
    default:
      return ok(url)
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
