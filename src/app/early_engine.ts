/**
 * On a later visit the engine starts while the rest of the app loads. A tag of its own in the built page, before the
 * app's (scripts/vite/early_script.mjs). Other pages import what its file shares with them, so they evaluate it too: only the
 * page with the tag starts the engine.
 */
import { startEarly } from '../engine/worker/browser'

const startsHere = document.querySelector('script[data-early]') !== null
if (startsHere && !new URLSearchParams(location.search).has('embed')) startEarly()
