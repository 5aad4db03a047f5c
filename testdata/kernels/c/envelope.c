/* Envelope follower: fast attack, slow decay, a gate below a limit.
 * Special: absolute value, nested conditionals, arithmetic right shifts.
 * Sizes: 0 1 8 */
void envelope(const short *x, short *env, int n, short gate)
{
    int level = 0;
    for (int i = 0; i < n; i++) {
        int mag = x[i] < 0 ? -x[i] : x[i];
        if (mag > level) {
            if (mag - level > 16)
                level += (mag - level) >> 1;
            else
                level = mag;
        } else {
            level -= level >> 3;
        }
        env[i] = (short)(level < gate ? 0 : level);
    }
}
