/* A traffic light with a button for pedestrians: the light after each second.
 * Special: an enum as state, a timer, transitions by a switch.
 * Sizes: 0 1 8 20 */
enum light { GREEN, YELLOW, RED, WALK };

void traffic(const signed char *button, unsigned char *shown, int seconds)
{
    enum light light = GREEN;
    int timer = 0, wanted = 0;
    for (int t = 0; t < seconds; t++) {
        wanted |= button[t] > 60;
        timer++;
        switch (light) {
        case GREEN:
            if (wanted && timer >= 2)
                light = YELLOW, timer = 0;
            break;
        case YELLOW:
            light = RED;
            timer = 0;
            break;
        case RED:
            if (wanted) {
                light = WALK;
                wanted = 0;
            } else if (timer >= 2) {
                light = GREEN;
            }
            timer = timer > 1 ? 0 : timer;
            break;
        case WALK:
            if (timer >= 3)
                light = RED, timer = 0;
            break;
        }
        shown[t] = (unsigned char)light;
    }
}
