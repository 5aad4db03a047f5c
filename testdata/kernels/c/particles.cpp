// Moves particles under gravity inside a box; walls reflect.
// Special: array of structs that hold structs, member functions, a struct of three floats by value.
// Sizes: 0 1 8
struct Vec3 {
    float x, y, z;
    Vec3 &operator+=(const Vec3 &o)
    {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    Vec3 scaled(float k) const { return {x * k, y * k, z * k}; }
};

struct Particle {
    Vec3 place, speed;
    void reflect(float &at, float &v, float limit)
    {
        if (at > limit || at < -limit) {
            at = at > limit ? limit : -limit;
            v = -v;
        }
    }
    void step(const Vec3 &pull, float dt)
    {
        speed += pull.scaled(dt);
        place += speed.scaled(dt);
        reflect(place.x, speed.x, 60.0f);
        reflect(place.y, speed.y, 60.0f);
        reflect(place.z, speed.z, 60.0f);
    }
};

void particles(Particle *p, int n, Vec3 pull, float dt)
{
    for (int i = 0; i < n; ++i)
        p[i].step(pull, dt * 0.01f);
}
