/** Path under which the control plane lies. */
export const CONTROL_PREFIX = '/__sandbox';
