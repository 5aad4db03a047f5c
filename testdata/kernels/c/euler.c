/* A pendulum without friction, Euler's method.
 * Special: two coupled float recurrences, a struct of two floats by value and as result.
 * Sizes: 0 1 8 */
struct state {
    float angle, speed;
};

struct state euler(struct state s, float dt, int steps)
{
    dt *= 0.001f;
    for (int i = 0; i < steps; i++) {
        float cube = s.angle * s.angle * s.angle;
        float pull = s.angle - cube / 6.0f;
        s.angle += dt * s.speed;
        s.speed -= dt * 9.81f * pull;
    }
    return s;
}
