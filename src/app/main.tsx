import { engineBegins } from '../engine/worker/browser'
import './early_engine'
import { createRoot } from 'react-dom/client'
import './theme/tokens.css'
import './theme/canvas_tokens.css'
import './theme/base.css'
import './theme/foreign.css'
import { App } from './App'
import { boot } from './boot'
import { applyProjector } from './theme/projector'
import { applyTheme } from './theme/theme_store'
import { Guard } from './ui/Guard'

const query = new URLSearchParams(location.search)
if (query.has('embed')) {
  // Other sites may frame only that page.
  query.delete('embed')
  location.replace(`embed.html${query.size > 0 ? `?${query}` : ''}${location.hash}`)
} else {
  applyTheme()
  applyProjector()
  boot()
  void engineBegins().then(() =>
    createRoot(document.getElementById('root')!).render(
      <Guard what="The page">
        <App />
      </Guard>,
    ),
  )
}
