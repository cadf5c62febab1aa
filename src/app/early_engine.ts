/** Imported first: on a later visit the engine starts while the rest of the app is evaluated. */
import { startEarly } from '../engine/worker/browser'

if (!new URLSearchParams(location.search).has('embed')) startEarly()
